import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import type { RunningAsterisk } from '../../../../tools/dev/services/asterisk.ts';
import {
  chooseCell,
  edgeAddresses,
  mediaNodeAddress,
  simulatorAddress,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import { startMediaNode } from '../../../../tools/dev/voice/media-node.ts';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { answerTo, methodOf, type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';

const password = randomBytes(9).toString('base64url');
const announced = '203.0.113.9';
let cell: VoiceCell;
let dir: string;
let node: RunningAsterisk;
let edge: SipClient;
let carrier: SipClient;

beforeAll(async () => {
  cell = await chooseCell();
  dir = inDev('test', 'voice', cell.network);
  const { private: ofEdge } = edgeAddresses(cell);
  const ofCarrier = simulatorAddress(cell).address;
  node = await startMediaNode({
    node: 'm1',
    dir: `${dir}/m1`,
    sip: mediaNodeAddress(cell, 1),
    edges: [edgeAddresses(cell), edgeAddresses(cell, 2)],
    announcedAddress: announced,
    controlUrl: 'ws://127.0.0.1:9/asterisk',
    controlSecret: 'an unused secret',
    ari: { password },
    networks: { edges: `${ofEdge.address}/32`, carriers: `${ofCarrier}/32` },
  });
  const server = mediaNodeAddress(cell, 1);
  edge = await openSipClient({ server, local: ofEdge });
  carrier = await openSipClient({ server, local: { address: ofCarrier } });
});
afterAll(async () => {
  await edge?.close();
  await carrier?.close();
  await node?.stop('kill');
  rmSync(dir, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  return await fetch(`${node.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`node:${password}`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Makes the node ring a phone of this kind, and returns the INVITE that its edge receives. */
async function ring(kind: string, ramal: string): Promise<SipMessage> {
  const endpoint = `PJSIP/edge-1-${kind}/sip:${ramal}@acme.test`;
  const asked = await ask('POST', `/channels/${kind}-${ramal}`, {
    endpoint,
    formats: kind === 'webrtc' ? 'opus,alaw,ulaw' : 'alaw,ulaw',
    context: 'speak-code',
    extension: 's',
    priority: 1,
    timeout: 10,
    variables: { CODE: '123456', LANGUAGE: 'en' },
  });
  expect(asked.status).toBe(200);
  return await edge.waitFor(({ startLine }) => startLine.startsWith(`INVITE sip:${ramal}@`));
}

/** Responds busy, so that the node stops ringing. */
const decline = (invite: SipMessage): void => edge.send(answerTo(invite, '486 Busy Here'));

test('a phone over UDP or TCP is offered plain audio at the announced address', async () => {
  const invite = await ring('plain', '1000');
  decline(invite);
  expect(invite.body).toMatch(/^m=audio \d+ RTP\/AVP 8 0 101\r$/m);
  expect(invite.body).toContain(`c=IN IP4 ${announced}`);
  expect(invite.body).not.toMatch(/a=crypto|a=fingerprint|a=candidate/);
});

test('a phone over TLS is offered encrypted audio only', async () => {
  const invite = await ring('srtp', '1001');
  decline(invite);
  expect(invite.body).toMatch(/^m=audio \d+ RTP\/SAVP 8 0 101\r$/m);
  expect(invite.body).toMatch(/^a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/m);
  expect(invite.body).toContain(`c=IN IP4 ${announced}`);
});

test('a phone in a browser is offered DTLS, ICE and Opus', async () => {
  const invite = await ring('webrtc', '1002');
  decline(invite);
  expect(invite.body).toMatch(/^m=audio \d+ UDP\/TLS\/RTP\/SAVPF 107 8 0 /m);
  expect(invite.body).toMatch(/^a=fingerprint:SHA-256 /im);
  expect(invite.body).toMatch(/^a=setup:actpass\r$/m);
  expect(invite.body).toMatch(/^a=ice-ufrag:/m);
  expect(invite.body).toMatch(/^a=rtcp-mux\r$/m);
  expect(invite.body).toMatch(/^a=rtpmap:107 opus\/48000\/2\r$/m);
});

test.each(['srtp', 'webrtc'])('no unencrypted audio is sent to a phone that was offered %s', async (kind) => {
  const ramal = kind === 'srtp' ? '1003' : '1004';
  const { address, port } = edge.local;
  const ear = createSocket('udp4');
  let packets = 0;
  ear.on('message', () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => ear.bind(0, address, resolve));
  const invite = await ring(kind, ramal);
  const contact: [string, string] = ['Contact', `<sip:phone@${address}:${port}>`];
  const type: [string, string] = ['Content-Type', 'application/sdp'];
  edge.send(answerTo(invite, '200 OK', [contact, type], plainSdp(address, ear.address().port)));
  await edge.waitFor(
    (request) => methodOf(request) === 'ACK' && request.startLine.includes(`phone@${address}`),
  );
  await sleep(1_000);
  await ask('DELETE', `/channels/${kind}-${ramal}`);
  ear.close();
  expect(packets).toBe(0);
});

const plainSdp = (address: string, port: number): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 8`,
    'a=rtpmap:8 PCMA/8000',
    '',
  ].join('\r\n');

const inviteAs = (leg: string): { startLine: string; headers: [string, string][]; body: string } => ({
  startLine: `INVITE sip:5511987654321@${mediaNodeAddress(cell, 1).address} SIP/2.0`,
  headers: [
    ['From', '<sip:caller@acme.test>;tag=1'],
    ['To', '<sip:5511987654321@acme.test>'],
    ['Call-ID', `wanted-${leg}-${randomBytes(4).toString('hex')}`],
    ['Contact', `<sip:caller@${edge.local.address}:${edge.local.port}>`],
    ['X-Disca-Leg', leg],
    ['X-Disca-Ramal', '1000'],
    ['X-Disca-Domain', 'acme.test'],
    ['X-Disca-Not-After', String(Math.ceil(Date.now() / 1000) + 4)],
    ['Content-Type', 'application/sdp'],
  ],
  body: plainSdp('127.0.0.1', 30_000),
});

test('the phone kind in an edge’s header is trusted from that edge only', async () => {
  // Without a controller a trusted call waits for its routing decision until the timeout.
  const believed = await edge.ask(inviteAs('1-plain'));
  expect(believed && statusOf(believed)).toBe(503);
  const clear = await edge.ask(inviteAs('1-srtp'));
  expect(clear && statusOf(clear)).toBe(488);
  for (const [who, leg] of [
    [edge, '2-plain'],
    [carrier, '1-plain'],
    [carrier, '2-plain'],
  ] as const) {
    const refused = await who.ask(inviteAs(leg));
    expect([401, 403]).toContain(refused && statusOf(refused));
  }
});
