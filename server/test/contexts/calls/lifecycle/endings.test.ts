import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTrunk } from '../../../../src/contexts/telephony/index.ts';
import type { NewTrunk } from '../../../../src/contexts/telephony/trunks/operate-trunks.ts';
import { openOperator } from '../../../harness/operator.ts';
import type { TestAccount } from '../../../harness/people.ts';
import { type HastyCarrier, startHastyCarrier } from '../../../harness/voice/hasty-carrier.ts';
import { atCarrier, atPhone, liftCaps, numberEnding, whenReleased } from '../../../harness/voice/lines.ts';
import { type RefusingCarrier, startRefusingCarrier } from '../../../harness/voice/refusing-carrier.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let refusing: RefusingCarrier;
let hasty: HastyCarrier;
/** Calls to a destination that does not answer. They ring for one minute, during which the other tests run. */
let slow: { phone: string; destination: string };

beforeAll(async () => {
  platform = await startVoicePlatform();
  const { database, engines } = platform;
  refusing = await startRefusingCarrier(`${engines.cell.network}.30`);
  hasty = await startHastyCarrier(`${engines.cell.network}.32`);
  // Separate trunks, so that no call is retried: 31 rejects, 41 does not respond, 51 has two trunks, and 61 hangs up at
  // once.
  await database.query(`update trunks set prefixes = '{5511}'`);
  const silent = `${engines.cell.network}.31:${engines.cell.port}`;
  await addTrunks([
    { name: 'refuses', prefixes: ['5531'], address: refusing.address },
    { name: 'is-hasty', prefixes: ['5561'], address: hasty.address },
    { name: 'is-silent', prefixes: ['5541'], address: silent },
    { name: 'comes-first', prefixes: ['5551'], address: refusing.address },
    {
      name: 'comes-second',
      prefixes: ['5551'],
      address: engines.simulator.carrier,
      priority: 200,
      defaultCallerId: secondTrunkNumber,
      stripDigits: 2,
      addDigits: '021',
    },
  ]);
  await platform.stopVoice();
  await platform.startVoice();
  account = await platform.addAccount();
  await liftCaps(platform, account);
  line = await platform.addLine(account);
  const unanswered = await platform.addLine(account, { phone: { behaviour: 'ring' } });
  slow = {
    phone: await unanswered.call(numberEnding('16')),
    destination: await line.call(numberEnding('19')),
  };
});
afterAll(async () => {
  await refusing?.close();
  await hasty?.close();
  await platform?.close();
});

const secondTrunkNumber = '551140000000';

async function addTrunks(trunks: (Partial<NewTrunk> & Pick<NewTrunk, 'name' | 'address' | 'prefixes'>)[]) {
  const operator = openOperator(platform);
  for (const trunk of trunks) {
    await addTrunk(operator, {
      mode: 'test',
      priority: 100,
      defaultCallerId: '551130000000',
      callerIdRule: 'owned',
      stripDigits: 0,
      addDigits: '',
      transport: 'udp',
      srtp: false,
      outboundLogin: null,
      inboundLogin: null,
      enabled: true,
      ...trunk,
    });
  }
  await operator.close();
}

const causeByEnding: Record<string, string> = {
  '01': 'UNALLOCATED_NUMBER',
  '17': 'USER_BUSY',
  '18': 'NO_USER_RESPONSE',
  '21': 'CALL_REJECTED',
  '22': 'NUMBER_CHANGED',
  '28': 'INVALID_NUMBER_FORMAT',
  // A 503 whose Reason header is congestion. The engine does not expose that header, so the table applies.
  '34': 'NORMAL_TEMPORARY_FAILURE',
  '41': 'NORMAL_TEMPORARY_FAILURE',
};

test('CALL-26 CALL-27 CALL-36 CALL-42 a rejected call has its cause, zero duration and no price', async () => {
  const endings = Object.keys(causeByEnding);
  const ids = await Promise.all(endings.map((ending) => line.call(numberEnding(ending))));
  const ended = await Promise.all(ids.map((id) => whenCall(account, id, 'ended')));
  expect(Object.fromEntries(ended.map((call) => [call.to.slice(-2), call.hangup_cause]))).toEqual(
    causeByEnding,
  );
  for (const call of ended) {
    expect(call).toMatchObject({ duration: 0, answered_at: null, call_price: 0, ended_by: 'destination' });
  }
});

/** The table "SIP to cause" of the specification. */
const causeByStatus: Record<string, string> = {
  400: 'NORMAL_TEMPORARY_FAILURE',
  401: 'CALL_REJECTED',
  402: 'CALL_REJECTED',
  403: 'CALL_REJECTED',
  404: 'UNALLOCATED_NUMBER',
  407: 'CALL_REJECTED',
  408: 'RECOVERY_ON_TIMER_EXPIRE',
  410: 'NUMBER_CHANGED',
  415: 'INCOMPATIBLE_DESTINATION',
  480: 'NO_USER_RESPONSE',
  484: 'INVALID_NUMBER_FORMAT',
  485: 'UNALLOCATED_NUMBER',
  486: 'USER_BUSY',
  487: 'ORIGINATOR_CANCEL',
  488: 'INCOMPATIBLE_DESTINATION',
  500: 'NORMAL_TEMPORARY_FAILURE',
  502: 'NETWORK_OUT_OF_ORDER',
  503: 'NORMAL_TEMPORARY_FAILURE',
  504: 'RECOVERY_ON_TIMER_EXPIRE',
  600: 'USER_BUSY',
  603: 'CALL_REJECTED',
  604: 'UNALLOCATED_NUMBER',
  606: 'INCOMPATIBLE_DESTINATION',
};

test('CALL-36 SIP responses map to their causes', async () => {
  const statuses = Object.keys(causeByStatus);
  const ids: string[] = [];
  for (const status of statuses) ids.push(await line.call(`5531987000${status}`));
  const ended = await Promise.all(ids.map((id) => whenCall(account, id, 'ended')));
  expect(Object.fromEntries(ended.map((call) => [call.to.slice(-3), call.hangup_cause]))).toEqual(
    causeByStatus,
  );
  // Each number was dialled once: a rejected call is never dialled again.
  expect(refusing.asked.filter((number) => number.startsWith('5531987000'))).toHaveLength(statuses.length);
  for (const call of ended) expect(call).toMatchObject({ duration: 0, ended_by: 'destination' });
});

test('CALL-36 a carrier that does not respond is RECOVERY_ON_TIMER_EXPIRE', async () => {
  const id = await line.call(numberEnding('16', '41'));
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE', duration: 0, answered_at: null });
});

test('CALL-59 a carrier that refuses our credentials is skipped for the next one', async () => {
  const id = await line.call('5551987000407');
  await whenCall(account, id, 'answered');
  expect(atCarrier(platform, id)).toMatchObject([{ number: '02151987000407' }]);
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
  // The next carrier does not know the number, because it ends in 01.
  const unknown = await line.call('5551987000401');
  expect(await whenCall(account, unknown, 'ended')).toMatchObject({ hangup_cause: 'UNALLOCATED_NUMBER' });
  expect(atCarrier(platform, unknown)).toMatchObject([{ number: '02151987000401' }]);
});

test('fails over to the next carrier with its own number and caller ID format', async () => {
  const id = await line.call('5551987000503');
  await whenCall(account, id, 'answered');
  expect(refusing.asked).toContain('5551987000503');
  expect(atCarrier(platform, id)).toMatchObject([{ number: '02151987000503', from: secondTrunkNumber }]);
  await account.admin.client.post(`/calls/${id}/hangup`);
  expect(await whenCall(account, id, 'ended')).toMatchObject({ to: '5551987000503' });
});

test('CALL-36 a destination that rejected the call is not tried over another carrier', async () => {
  const id = await line.call('5551987000486');
  expect(await whenCall(account, id, 'ended')).toMatchObject({ hangup_cause: 'USER_BUSY', duration: 0 });
  expect(atCarrier(platform, id)).toEqual([]);
});

test('CALL-26 CALL-27 CALL-42 a talked call ends normally, with the side that hung up', async () => {
  const { simulator } = platform.engines;
  const [byPhone, byCarrier, byApi] = await Promise.all(
    ['16', '99', '16'].map((ending) => line.call(numberEnding(ending))),
  );
  if (!byPhone || !byCarrier || !byApi) throw new Error('Three calls were placed.');
  await Promise.all([byPhone, byApi].map((id) => whenCall(account, id, 'answered')));
  await simulator.hangUpPhone(byPhone);
  await account.admin.client.post(`/calls/${byApi}/hangup`);
  const expected = { [byPhone]: 'extension', [byCarrier]: 'destination', [byApi]: 'system' };
  for (const [id, endedBy] of Object.entries(expected)) {
    const ended = await whenCall(account, id, 'ended');
    expect(ended, endedBy).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: endedBy });
    await whenReleased(platform, id);
    const [carrier] = atCarrier(platform, id);
    const seconds = ((carrier?.endedAtMs ?? 0) - (carrier?.answeredAtMs ?? 0)) / 1000;
    expect(Math.abs(ended.duration - seconds), endedBy).toBeLessThanOrEqual(1.5);
  }
});

test('CALL-64 a destination that hangs up in the instant of its answer is the side that ended the call', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => line.call(numberEnding('16', '61'))));
  for (const id of ids) {
    const ended = await whenCall(account, id, 'ended');
    expect(ended).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'destination' });
    // An engine that reads the answer and the BYE at once has not connected the call: it is not answered.
    expect(ended.duration).toBeLessThanOrEqual(ended.answered_at === null ? 0 : 1);
  }
});

test('CALL-27 CALL-42 a softphone that hangs up while the destination rings cancels the call', async () => {
  const id = await line.call(numberEnding('19'));
  await whenCall(account, id, 'dialing');
  await platform.engines.simulator.hangUpPhone(id);
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', ended_by: 'extension', duration: 0 });
  await whenReleased(platform, id);
  expect(atCarrier(platform, id)[0]?.endedBy).toBe('other');
});

test.each([
  ['busy', 'USER_BUSY'],
  ['reject', 'CALL_REJECTED'],
] as const)(
  'CALL-27 CALL-42 a softphone that responds %s ends the call before the destination is dialled',
  async (behaviour, cause) => {
    const other = await platform.addLine(account, { phone: { behaviour } });
    const id = await other.call(numberEnding('16'));
    const ended = await whenCall(account, id, 'ended');
    expect(ended).toMatchObject({ hangup_cause: cause, ended_by: 'extension', duration: 0, call_price: 0 });
    expect(atCarrier(platform, id)).toEqual([]);
  },
);

const ringSeconds = (leg: { invitedAtMs: number; endedAtMs?: number } | undefined): number =>
  ((leg?.endedAtMs ?? Number.NaN) - (leg?.invitedAtMs ?? Number.NaN)) / 1000;

test('CALL-15 CALL-27 CALL-42 an unanswered softphone rings for 30 s, and nothing is dialled', async () => {
  const ended = await whenCall(account, slow.phone, 'ended');
  expect(ended).toMatchObject({
    hangup_cause: 'NO_ANSWER',
    ended_by: 'extension',
    duration: 0,
    call_price: 0,
  });
  await whenReleased(platform, slow.phone);
  const seconds = ringSeconds(atPhone(platform, slow.phone));
  expect(seconds).toBeGreaterThan(29);
  expect(seconds).toBeLessThan(33);
  expect(atCarrier(platform, slow.phone)).toEqual([]);
});

test('CALL-15 CALL-27 CALL-42 an unanswered destination rings for 60 s', async () => {
  const ended = await whenCall(account, slow.destination, 'ended', 240);
  expect(ended).toMatchObject({
    hangup_cause: 'NO_ANSWER',
    ended_by: 'destination',
    duration: 0,
    call_price: 0,
  });
  await whenReleased(platform, slow.destination);
  const [leg] = atCarrier(platform, slow.destination);
  expect(ringSeconds(leg)).toBeGreaterThan(59);
  expect(ringSeconds(leg)).toBeLessThan(64);
  expect(leg?.endedBy).toBe('other');
});
