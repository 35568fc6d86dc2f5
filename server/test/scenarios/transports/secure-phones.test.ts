import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  asText,
  edgeAddresses,
  mediaNodeAddress,
  simulatorAddress,
} from '../../../../tools/dev/voice/cell.ts';
import { answerCalls } from '../../harness/edge/calls.ts';
import { openSipClient } from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, atPhone, numberEnding, whenPhoneRings, whenReleased } from '../../harness/voice/lines.ts';
import { whenHeard } from '../../harness/voice/tones.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
});
afterAll(() => platform?.close());

const overTls = () => ({ transport: 'tls' as const, edge: asText(edgeAddresses(platform.engines.cell).tls) });

test('a phone over TLS has encrypted two-way audio', async () => {
  const { simulator } = platform.engines;
  const line = await platform.addLine(account, { phone: { behaviour: 'tone', ...overTls() } });
  const callId = await line.call(numberEnding('95'));
  await whenCall(account, callId, 'answered');
  await until(async () => (await encryptedLegs()) > 0, 'a leg is encrypted');
  await whenHeard(simulator.heard(callId, 'phone'), 1_000);
  await whenHeard(simulator.heard(callId, 'carrier'), 440);
  await simulator.hangUpPhone(callId);
  await whenReleased(platform, callId);
});

/** Returns the number of legs whose audio the engine reports as encrypted. */
async function encryptedLegs(): Promise<number> {
  const { body } = await platform.engines.node.ask('GET', '/channels');
  let encrypted = 0;
  for (const { id } of body as { id: string }[]) {
    const asked = `/channels/${id}/variable?variable=${encodeURIComponent('CHANNEL(rtp,secure)')}`;
    const { body: answer } = await platform.engines.node.ask('GET', asked);
    if ((answer as { value?: string }).value === '1') encrypted += 1;
  }
  return encrypted;
}

test('rejects a phone over TLS that offers unencrypted audio', async () => {
  const line = await platform.addLine(account, { phone: { behaviour: 'tone', ...overTls(), srtp: false } });
  const callId = await line.call(numberEnding('95'));
  const ended = await whenCall(account, callId, 'ended');
  expect(ended.duration).toBe(0);
  expect(atPhone(platform, callId)?.answeredAtMs).toBe(undefined);
});

test('a phone over TLS dials, with encrypted audio both ways', async () => {
  const { simulator } = platform.engines;
  const line = await platform.addLine(account, { phone: overTls() });
  const number = numberEnding('95');
  const dialled = await line.phone.dial(number);
  await dialled.answered();
  await until(async () => (await encryptedLegs()) === 1, 'the leg of the phone is encrypted');
  const atOther = simulator.carrierCalls().find((call) => call.number === number);
  await whenHeard(dialled.heard, 1_000);
  await whenHeard(simulator.heard(atOther?.callId ?? '', 'carrier'), 440);
  await dialled.hangUp();
  await dialled.ended();
});

/** Adds a phone over TLS that answers every call without encryption. */
async function addCarelessPhone(): Promise<{ line: Line; close(): Promise<void> }> {
  const line = await platform.addLine(account, { phone: overTls() });
  const phone = await openSipClient({ server: edgeAddresses(platform.engines.cell).tls, transport: 'tls' });
  const registered = await phone.register({ ...line, domain: account.domain });
  expect(statusOf(registered)).toBe(200);
  answerCalls(phone, '200 OK', [['Content-Type', 'application/sdp']], inTheClear);
  return { line, close: () => phone.close() };
}

const inTheClear = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 30000 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  '',
].join('\r\n');

test('no destination is dialled for a phone over TLS that answers unencrypted', async () => {
  const { line, close } = await addCarelessPhone();
  const callId = await line.call(numberEnding('95'));
  const ended = await whenCall(account, callId, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'INCOMPATIBLE_DESTINATION', duration: 0 });
  expect(atCarrier(platform, callId)).toEqual([]);

  const caller = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  const dialled = await caller.phone.dial(line.ramal);
  await dialled.ended();
  await close();
});

test('unencrypted phones work at the same time', async () => {
  const line = await platform.addLine(account);
  const callId = await line.call(numberEnding('16'));
  await whenPhoneRings(platform, callId);
  await whenCall(account, callId, 'answered');
  await platform.engines.simulator.hangUpPhone(callId);
});

test('the engines listen only on their intended ports', async () => {
  const { cell } = platform.engines;
  const edge = edgeAddresses(cell);
  const expected = [
    `udp ${asText(edge.public)}`,
    `tcp ${asText(edge.public)}`,
    `tcp ${asText(edge.tls)}`,
    `tcp ${asText(edge.wss)}`,
    `udp ${asText(edge.private)}`,
    `udp ${asText(mediaNodeAddress(cell, 1))}`,
  ];
  const simulator = `${simulatorAddress(cell).address}:`;
  // Calls that have just ended keep their audio ports open a little longer.
  await vi.waitFor(
    () => {
      const sockets = [...listeners('udp', '07'), ...listeners('tcp', '0A')].filter(
        (line) => line.includes(` ${cell.network}.`) && !line.includes(simulator),
      );
      expect([...new Set(sockets)].sort()).toEqual(expected.sort());
    },
    { timeout: 120_000, interval: 200 },
  );
});

/** Returns sockets in this state from the kernel: addresses in hexadecimal, bytes reversed. */
const listeners = (protocol: string, state: string): string[] =>
  readFileSync(`/proc/net/${protocol}`, 'latin1')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , found]) => found === state)
    .map(([, at = '']) => {
      const [address = '', port = ''] = at.split(':');
      const bytes = [...Buffer.from(address, 'hex')].reverse();
      return `${protocol} ${bytes.join('.')}:${Number.parseInt(port, 16)}`;
    });
