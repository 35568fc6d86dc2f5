import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import type { RunningAsterisk } from '../../../../tools/dev/services/asterisk.ts';
import {
  chooseCell,
  edgeAddresses,
  edgePrivate,
  mediaNodeAddress,
  simulatorAddress,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import { startMediaNode } from '../../../../tools/dev/voice/media-node.ts';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';
import { durationSeconds, measureLoudness, readClosedWav, readWav } from '../../harness/voice/tones.ts';

const password = randomBytes(9).toString('base64url');
const silenceMs = 1_500;
const listenSeconds = 5;
const timeoutMs = 120_000;
const clients: SipClient[] = [];
let cell: VoiceCell;
let dir: string;
let node: RunningAsterisk;
let simulator: VoiceSimulator;

beforeAll(async () => {
  cell = await chooseCell();
  dir = inDev('test', 'voice', cell.network);
  [node, simulator] = await Promise.all([
    startMediaNode({
      node: 'm1',
      dir: `${dir}/m1`,
      sip: mediaNodeAddress(cell, 1),
      edges: [edgeAddresses(cell)],
      controlUrl: 'ws://127.0.0.1:9/asterisk',
      controlSecret: 'nothing listens',
      ari: { password },
      networks: {
        edges: `${edgePrivate(cell).address}/32`,
        carriers: `${simulatorAddress(cell).address}/32`,
      },
    }),
    startVoiceSimulator({
      name: `simulator-${cell.network}`,
      dir: `${dir}/simulator`,
      ...simulatorAddress(cell),
    }),
  ]);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all([node?.stop('kill'), simulator?.stop('kill')]);
  rmSync(dir, { recursive: true, force: true });
});

async function openClientAt(address: string): Promise<SipClient> {
  const client = await openSipClient({ server: mediaNodeAddress(cell, 1), local: { address } });
  clients.push(client);
  return client;
}

const request = (method: string, user: string): { startLine: string; headers: [string, string][] } => ({
  startLine: `${method} sip:${user}@${mediaNodeAddress(cell, 1).address} SIP/2.0`,
  headers: [
    ['From', '<sip:caller@elsewhere.test>;tag=1'],
    ['To', `<sip:${user}@${mediaNodeAddress(cell, 1).address}>`],
    ['Call-ID', randomBytes(8).toString('hex')],
    ['Contact', `<sip:caller@${edgePrivate(cell).address}>`],
  ],
});

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${node.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`node:${password}`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('the node accepts no SIP from an unknown address', async () => {
  const unknownClient = await openClientAt(`${cell.network}.99`);
  for (const method of ['OPTIONS', 'INVITE', 'REGISTER']) {
    const answer = await unknownClient.ask(request(method, '551130000016'), silenceMs);
    expect(answer === undefined ? 403 : statusOf(answer), method).toBe(403);
  }
});

test('without a controller the node rejects every call from its edge or a carrier', async () => {
  const edge = await openClientAt(edgePrivate(cell).address);
  const alive = await edge.ask(request('OPTIONS', 'ping'));
  expect(alive && [200, 404]).toContain(alive && statusOf(alive));
  const carrier = await openClientAt(simulatorAddress(cell).address);
  const notAfter = String(Math.floor(Date.now() / 1000) + 60);
  for (const called of ['551130000016', 's', '1000', '+551130000016', 'h', 'T', 'late', 'failed']) {
    const { startLine, headers } = request('INVITE', called);
    const asked = { startLine, headers: [...headers, ['X-Disca-Not-After', notAfter] as [string, string]] };
    const expected = /\d/.test(called) ? 503 : 404;
    for (const party of [edge, carrier]) {
      const answer = await party.ask(asked);
      expect(answer && statusOf(answer), called).toBe(expected);
    }
  }
  expect(simulator.carrierCalls()).toEqual([]);
  // The node answers a call before it removes the channel.
  await expect.poll(async () => await (await ask('GET', '/channels')).json()).toEqual([]);
});

test('AMI listens on loopback only and allows no dangerous function', async () => {
  const reached = await new Promise((resolve) => {
    const socket = connect(node.ariPort, mediaNodeAddress(cell, 1).address, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  expect(reached).toBe(false);
  for (const name of ['SHELL(id)', 'FILE(/srv/disca/etc/pjsip.conf)', 'DB(a/b)', 'ENV(PATH)']) {
    const response = await ask('GET', `/asterisk/variable?variable=${encodeURIComponent(name)}`);
    const body = response.ok ? ((await response.json()) as { value: string }).value : '';
    expect(body, name).toBe('');
  }
});

test('a code is spoken to the answering party', async () => {
  const callId = `code-${cell.port}`;
  const { address, port } = simulatorAddress(cell);
  const answer = await ask('POST', `/channels/${callId}.a`, {
    endpoint: `PJSIP/carrier/sip:551130000095@${address}:${port}`,
    context: 'speak-code',
    extension: 's',
    priority: 1,
    variables: {
      __CALL_ID: callId,
      CODE: '123456',
      LANGUAGE: 'pt-BR',
      'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
    },
  });
  expect(answer.status).toBe(200);
  const deadline = Date.now() + timeoutMs;
  while (!simulator.carrierCalls()[0]?.answeredAtMs && Date.now() < deadline) await sleep(100);
  while (
    durationSeconds(readWav(simulator.heard(callId, 'carrier'))) < listenSeconds &&
    Date.now() < deadline
  )
    await sleep(100);
  await simulator.hangUpCarrier(callId);
  while (!simulator.carrierCalls()[0]?.endedAtMs && Date.now() < deadline) await sleep(100);
  const heard = await readClosedWav(simulator.heard(callId, 'carrier'));
  expect(durationSeconds(heard)).toBeGreaterThanOrEqual(listenSeconds);
  expect(measureLoudness(heard)).toBeGreaterThan(0.01);
});
