import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DialledCall } from '../../../../simulator/voice/index.ts';
import { assignNumber, freshNumber, whenListed } from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, atPhone, numberEnding } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

const there = '1590*';
const back = '2468*';
let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let other: Line;
const number = freshNumber();

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  await assignNumber(platform, account, number);
  [line, other] = await Promise.all([
    platform.addLine(account, { extension: { bina: number }, phone: { behaviour: 'keys' } }),
    platform.addLine(account, { phone: { behaviour: 'keys', keysBy: 'info' } }),
  ]);
});
afterAll(() => platform?.close());

/** Presses DTMF keys on both sides and expects each to receive the other's. */
async function expectKeys(dialled: DialledCall, id: string, side: 'phone' | 'carrier'): Promise<void> {
  const { simulator } = platform.engines;
  await whenCall(account, id, 'answered');
  await dialled.press(there);
  await simulator.pressDigits(id, back, side);
  const callee = () => (side === 'phone' ? atPhone(platform, id) : atCarrier(platform, id)[0]);
  await until(async () => (callee()?.keys.length ?? 0) >= there.length, 'the keys arrive');
  await until(
    async () => (dialled.seen()?.keys.length ?? 0) >= back.length,
    'the keys of the other side arrive',
  );
  expect([callee()?.keys, dialled.seen()?.keys]).toEqual([there, back]);
  await dialled.hangUp();
  await whenCall(account, id, 'ended');
}

test('DTMF keys pass both ways in a call dialled on a softphone', async () => {
  const to = numberEnding('94');
  const dialled = await line.phone.dial(to, 'keys');
  await dialled.answered();
  await expectKeys(dialled, (await whenListed(account, { to })).id, 'carrier');
});

test('DTMF keys that a softphone sends by SIP INFO arrive like all others', async () => {
  const to = numberEnding('94');
  const dialled = await other.phone.dial(to, 'keys');
  await dialled.answered();
  const { id } = await whenListed(account, { to });
  await dialled.press(there);
  await until(async () => atCarrier(platform, id)[0]?.keys === there, 'the carrier has received the keys');
  await dialled.hangUp();
  await whenCall(account, id, 'ended');
});

test('DTMF keys pass both ways between extensions', async () => {
  const dialled = await line.phone.dial(other.ramal, 'keys');
  await dialled.answered();
  await expectKeys(dialled, (await whenListed(account, { to: other.ramal })).id, 'phone');
});

test('DTMF keys pass both ways in a call from outside', async () => {
  const { simulator, node } = platform.engines;
  const call = { to: number, from: '5521988887777', node: node.sipAddress };
  const dialled = await simulator.callFromCarrier(call, 'keys');
  await dialled.answered();
  await expectKeys(dialled, (await whenListed(account, { to: number })).id, 'phone');
});

test('DTMF keys pass both ways in a call placed through the API', async () => {
  const id = await line.call(numberEnding('94'));
  await whenCall(account, id, 'answered');
  const { simulator } = platform.engines;
  await simulator.pressDigits(id, there, 'phone');
  await simulator.pressDigits(id, back, 'carrier');
  await until(async () => atCarrier(platform, id)[0]?.keys === there, 'the carrier has received the keys');
  await until(async () => atPhone(platform, id)?.keys === back, 'the softphone has received the keys');
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
});
