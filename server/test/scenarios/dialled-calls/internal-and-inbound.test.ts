import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspendCalling } from '../../../src/contexts/calls/index.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { readBalance } from '../../harness/fixtures/billing.ts';
import {
  assignNumber,
  finalStatus,
  freshNumber,
  listedCalls,
  recordedEventTypes,
  whenCallsAreRouted,
  whenHungUp,
  whenListed,
} from '../../harness/fixtures/dialled-calls.ts';
import { numberEvents } from '../../harness/fixtures/events.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, atPhone, capCalls, liftCaps, listenTo, numberEnding } from '../../harness/voice/lines.ts';
import { parseSound, secondsOfTone, whenHeard } from '../../harness/voice/tones.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform?.close());

const allEvents = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
  'recording-ready',
];

/** Returns how long each tone sounds in the recording of a call. */
async function recordedTones(url: string): Promise<number[]> {
  const { audio } = await until(async () => {
    const answer = await listenTo(platform, url);
    return answer.status === 200 ? answer : undefined;
  }, 'the recording is stored');
  return [440, 1_000].map((hertz) => secondsOfTone(parseSound(audio), hertz, 0.1));
}

test('CALL-25 a call between extensions is internal: free, without credit, recorded and reported', async () => {
  const account = await platform.addAccount(0);
  const owner = await account.addUser();
  const caller = await platform.addLine(account, { owner, extension: { gravar_audio: 1 } });
  const callee = await platform.addLine(account, {
    extension: { auto_answer: 1 },
    phone: { behaviour: 'tone', answerAfterSeconds: 1 },
  });
  const dialled = await caller.phone.dial(callee.ramal);
  await dialled.answered();
  const { id } = await whenListed(account, { to: callee.ramal });
  await whenCall(account, id, 'answered');
  const heard = platform.engines.simulator.heard(id, 'phone');
  // On a busy machine the recording has less than was heard.
  await Promise.all([whenHeard(dialled.heard, 440, 6), whenHeard(heard, 440, 6)]);
  const ended = await whenHungUp(account, dialled, id);
  expect(ended).toMatchObject({
    call_type: 'internal',
    from: caller.ramal,
    to: callee.ramal,
    email: owner.email,
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'extension',
    billed_duration: 0,
    minute_price: 0,
    call_price: 0,
  });
  expect(ended.duration).toBeGreaterThanOrEqual(2);
  expect(await recordedEventTypes(platform, id)).toEqual(allEvents);
  const rung = atPhone(platform, id);
  expect(rung).toMatchObject({ number: callee.phone.name, from: caller.ramal, alertInfo: '', callInfo: '' });
  expect(atCarrier(platform, id)).toEqual([]);
  expect((await recordedTones(ended.record_url))[0]).toBeGreaterThan(1.5);
  const { body } = await account.admin.client.list(
    '/calls',
    { where: { id }, include: ['price'] },
    { page: '1' },
  );
  expect(body.data[0].price).toMatchObject({
    explanation: `${ended.duration} s, free of charge.`,
    entries: [],
  });
  expect(await readBalance(account)).toMatchObject({ available: 0, held: 0 });
});

test('CALL-25 CALL-42 the called extension answers, rejects, is busy or offline, and the caller gets that response', async () => {
  const account = await platform.addAccount(0);
  await liftCaps(platform, account);
  const [caller, callee] = await Promise.all([platform.addLine(account), platform.addLine(account)]);
  const ends = async (behaviour: 'busy' | 'reject') => {
    await callee.phone.behave(behaviour);
    const status = await finalStatus(await caller.phone.dial(callee.ramal));
    const { id } = await whenListed(account, { to: callee.ramal });
    const { hangup_cause: cause, ended_by: by } = await whenCall(account, id, 'ended');
    return [status, cause, by];
  };
  expect(await ends('busy')).toEqual([486, 'USER_BUSY', 'destination']);
  expect(await ends('reject')).toEqual([603, 'CALL_REJECTED', 'destination']);
  await callee.phone.behave('silent', 0, 1);
  const answered = await caller.phone.dial(callee.ramal);
  await answered.ended();
  const { id } = await whenListed(account, { to: callee.ramal });
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'destination', call_price: 0 });

  expect(await finalStatus(await caller.phone.dial(caller.ramal))).toBe(486);
  await callee.phone.remove();
  await until(async () => {
    const { body } = await account.admin.client.get(`/extensions/${callee.id}`);
    return !body.registered;
  }, 'the phone has unregistered');
  expect(await finalStatus(await caller.phone.dial(callee.ramal))).toBe(480);
});

test('CALL-25 CALL-53 HOOK-06 a call from outside rings the number’s extension: inbound, free, reported', async () => {
  const account = await platform.addAccount(0);
  const owner = await account.addUser();
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const extension = { gravar_audio: 1, auto_answer: 1, bina: number };
  const line = await platform.addLine(account, {
    owner,
    extension,
    phone: { behaviour: 'tone', answerAfterSeconds: 1 },
  });
  const from = numberEnding('16');
  const { simulator, node } = platform.engines;
  const call = await simulator.callFromCarrier({
    to: `+${number}`,
    from,
    name: 'A Bank',
    node: node.sipAddress,
  });
  await call.answered();
  const { id } = await whenListed(account, { to: number });
  await whenCall(account, id, 'answered');
  await Promise.all([whenHeard(call.heard, 440, 6), whenHeard(simulator.heard(id, 'phone'), 1_000, 6)]);
  const ended = await whenHungUp(account, call, id);
  expect(ended).toMatchObject({
    call_type: 'inbound',
    from,
    to: number,
    email: owner.email,
    BINA: number,
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'destination',
    minute_price: 0,
    call_price: 0,
  });
  expect(ended.duration).toBeGreaterThanOrEqual(2);
  expect(await recordedEventTypes(platform, id)).toEqual(allEvents);
  const rung = atPhone(platform, id);
  expect(rung).toMatchObject({ number: line.phone.name, from, alertInfo: '', callInfo: '' });
  // The caller's display name is not verified and therefore not shown.
  expect(rung?.identity).toMatchObject({
    from: expect.stringMatching(`^<sip:${from}@`),
    assertedIdentity: '',
    remotePartyId: '',
  });
  for (const seconds of await recordedTones(ended.record_url)) expect(seconds).toBeGreaterThan(1.5);
  await numberEvents(platform);
  const { body } = await account.admin.client.get('/events');
  const hangup = body.data.find(({ type }: { type: string }) => type === 'channel-hangup');
  expect(hangup.data).toMatchObject({ direction: 'inbound', caller: from, called: number });
});

test('CALL-25 CALL-42 the first registered extension with a number rings; each rejection has its status', async () => {
  const account = await platform.addAccount(0);
  await liftCaps(platform, account);
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const extension = { bina: number };
  const first = await platform.addLine(account, { extension, phone: { behaviour: 'busy' } });
  const second = await platform.addLine(account, { extension, phone: { behaviour: 'reject' } });
  const { simulator, node } = platform.engines;
  const callIn = async (to = number) =>
    finalStatus(await simulator.callFromCarrier({ to, from: '5521988887777', node: node.sipAddress }));
  expect(await callIn()).toBe(486);
  expect(first.phone.calls()).toHaveLength(1);
  const { id } = await whenListed(account, { to: number });
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    ended_by: 'extension',
    hangup_cause: 'USER_BUSY',
  });
  const logOff = async ({ phone, id: extensionId }: typeof first) => {
    await phone.remove();
    await until(async () => {
      const { body } = await account.admin.client.get(`/extensions/${extensionId}`);
      return !body.registered;
    }, 'the phone has unregistered');
  };
  await logOff(first);
  expect(await callIn()).toBe(603);
  expect(second.phone.calls()).toHaveLength(1);
  await logOff(second);
  expect(await callIn()).toBe(480);
  expect(await callIn(freshNumber())).toBe(404);
  // A number that an extension presents without verification belongs to no account.
  const unproved = freshNumber();
  const changed = await account.admin.client.patch('/extensions', { id: first.id, bina: unproved });
  expect(changed.body.bina).toBe(unproved);
  expect(await callIn(unproved)).toBe(404);
});

test('CALL-25 rejects calls by a trunk of another mode, by a disabled one, and of a blocked account', async () => {
  const account = await platform.addAccount(0);
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const line = await platform.addLine(account, { extension: { bina: number } });
  const { simulator, node } = platform.engines;
  const callIn = async () =>
    finalStatus(
      await simulator.callFromCarrier({ to: number, from: '5521988887777', node: node.sipAddress }),
    );
  const { query } = platform.database;
  const trunkIs = async (change: string) => {
    await query(`update trunks set ${change}`);
    // Call control reads the trunks at start and then only rarely.
    await platform.stopVoice();
    await platform.startVoice();
  };
  await trunkIs(`mode = 'live'`);
  expect(await callIn()).toBe(404);
  await trunkIs(`mode = 'test', enabled = false`);
  expect(await callIn()).toBe(404);
  await trunkIs('enabled = true');
  await whenCallsAreRouted(line);
  await query(`update accounts set status = 'blocked' where id = $1`, [account.id]);
  expect(await callIn()).toBe(404);
  expect(await finalStatus(await line.phone.dial(numberEnding('16')))).toBe(403);
  expect(line.phone.calls()).toEqual([]);
  await query(`update accounts set status = 'active' where id = $1`, [account.id]);
});

test('CALL-54 calls from outside take no slots of the account, and have a cap per number', async () => {
  const account = await platform.addAccount();
  const numbers = [freshNumber(), freshNumber()] as const;
  for (const number of numbers) await assignNumber(platform, account, number);
  const phone = { behaviour: 'ring' } as const;
  const [line] = await Promise.all(
    numbers.map((bina) => platform.addLine(account, { extension: { bina }, phone })),
  );
  const { simulator, node } = platform.engines;
  const callIn = (to: string) =>
    simulator.callFromCarrier({ to, from: '5521988887777', node: node.sipAddress });
  await capCalls(platform, account, { callsPerSecond: 1, concurrentCalls: 1, inboundCallsPerNumber: 2 });

  // Three at once, of which one is refused.
  const calls = await Promise.all([1, 2, 3].map(() => callIn(numbers[0])));
  const refused = await until(
    async () => calls.find((call) => call.seen()?.endedAtMs !== undefined),
    'one call is refused',
  );
  expect(await finalStatus(refused)).toBe(486);
  await until(async () => line?.phone.calls().length === 2, 'the other two ring');
  const counters = `select coalesce(sum(running_calls), 0)::integer as running, coalesce(sum(slots_taken), 0)::integer as started
    from ledger_balances where account_id = $1`;
  expect(await platform.database.query(counters, [account.id])).toEqual([{ running: 0, started: 0 }]);
  expect((await account.admin.client.get('/accounts/limits')).body.calls.atOnce.used).toBe(0);

  const toOther = await callIn(numbers[1]);
  await whenListed(account, { to: numbers[1] });
  const out = numberEnding('19');
  const outbound = await line?.phone.dial(out);
  await whenListed(account, { to: out });
  expect(await platform.database.query(counters, [account.id])).toEqual([{ running: 1, started: 1 }]);

  for (const call of [...calls, toOther, outbound]) if (call !== refused) await call?.hangUp();
  await until(
    async () =>
      (await platform.database.query('select from live_calls where account_id = $1', [account.id])).length ===
      0,
    'the calls have ended',
  );
  expect(await platform.database.query(counters, [account.id])).toMatchObject([{ running: 0 }]);
  const again = await callIn(numbers[0]);
  await until(async () => line?.phone.calls().length === 3, 'the number rings again');
  await again.hangUp();
});

test('CALL-58 internal calls and calls from outside go on while outbound calls are suspended', async () => {
  const account = await platform.addAccount();
  const number = freshNumber();
  await assignNumber(platform, account, number);
  const caller = await platform.addLine(account);
  const callee = await platform.addLine(account, { extension: { bina: number } });
  const running = await caller.phone.dial(numberEnding('00'));
  await running.answered();
  await inAccount(platform.api.base.db, account.id, (tx) =>
    suspendCalling(tx, { accountId: account.id, reason: 'A test.', at: platform.clock.now() }),
  );
  expect(await finalStatus(await caller.phone.dial(numberEnding('00')))).toBe(403);

  const internal = await caller.phone.dial(callee.ramal);
  await internal.answered();
  const { simulator, node } = platform.engines;
  const inbound = await simulator.callFromCarrier({
    to: number,
    from: '5521988887777',
    node: node.sipAddress,
  });
  await inbound.answered();
  const statuses = async () => {
    const listed = await listedCalls(account);
    return listed.map(({ call_type: type, status }) => `${type} ${status}`).toSorted();
  };
  await expect
    .poll(statuses, { timeout: 60_000 })
    .toEqual(['inbound answered', 'internal answered', 'outbound answered']);
  for (const call of [running, internal, inbound]) await call.hangUp();
});
