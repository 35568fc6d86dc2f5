import { afterAll, beforeAll, expect, test } from 'vitest';
import { switchMode } from '../../../src/contexts/accounts/index.ts';
import { assignCallerId, unassignCallerId } from '../../../src/contexts/caller-ids/index.ts';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import { openOperator } from '../../harness/operator.ts';
import type { Person, TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import {
  atCarrier,
  atPhone,
  liftCaps,
  numberEnding,
  whenCarrierRings,
  whenPhoneRings,
  whenReleased,
} from '../../harness/voice/lines.ts';
import { type RefusingCarrier, startRefusingCarrier } from '../../harness/voice/refusing-carrier.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let owner: Person;
let line: Line;
/** A trunk for live accounts: a second carrier, which rejects every call. */
let live: RefusingCarrier;

const trunkNumber = '551130000000';

beforeAll(async () => {
  platform = await startVoicePlatform();
  live = await startRefusingCarrier(`${platform.engines.cell.network}.30`);
  await platform.database.query(
    `insert into trunks (name, mode, address, default_caller_id, created_at) values ('live', 'live', $1, $2, now())`,
    [live.address, trunkNumber],
  );
  account = await platform.addAccount();
  await liftCaps(platform, account);
  owner = await account.addUser();
  line = await platform.addLine(account, { owner });
});
afterAll(async () => {
  await live?.close();
  await platform?.close();
});

/** Ends the call once it has been inspected. */
async function end(callId: string, of = account): Promise<void> {
  await of.admin.client.post(`/calls/${callId}/hangup`);
  await whenCall(of, callId, 'ended');
}

/** Returns the INVITE to the softphone for a call requested by this user. */
async function inviteFor(person: Person, from: Line) {
  const id = await from.call(numberEnding('16'), {}, person.client);
  const invite = await whenPhoneRings(platform, id);
  await end(id);
  return { ...invite, id };
}

const autoAnswer = { alertInfo: 'info=alert-autoanswer;delay=0', callInfo: 'answer-after=0' };
const noAutoAnswer = { alertInfo: '', callInfo: '' };

test('CALL-16 the INVITE has the call’s id, and auto-answer if the extension’s own user called', async () => {
  const adminsOwn = await platform.addLine(account, { owner: account.admin });
  for (const [person, from] of [
    [owner, line],
    [account.admin, adminsOwn],
  ] as const) {
    const invite = await inviteFor(person, from);
    expect(invite).toMatchObject({ callId: invite.id, ...autoAnswer });
  }
});

test('CALL-16 an ADMIN who calls from another user’s extension rings it without auto-answer', async () => {
  const invite = await inviteFor(account.admin, line);
  expect(invite).toMatchObject({ callId: invite.id, ...noAutoAnswer });
  const shared = await platform.addLine(account);
  expect(await inviteFor(account.admin, shared)).toMatchObject(noAutoAnswer);
});

test('CALL-16 an extension with auto_answer 1 auto-answers for any requester, and not with 0', async () => {
  const willing = await platform.addLine(account, { extension: { auto_answer: 1 } });
  expect(await inviteFor(account.admin, willing)).toMatchObject(autoAnswer);
  await account.admin.client.patch('/extensions', { id: willing.id, auto_answer: 0 });
  expect(await inviteFor(account.admin, willing)).toMatchObject(noAutoAnswer);
});

test('CALL-16 AUTH-14 a colleague’s extension returns 403, and its softphone never rings', async () => {
  const colleague = await account.addUser();
  const before = line.phone.calls().length;
  const refused = await colleague.client.post('/calls', {
    extension: line.ramal,
    called: numberEnding('16'),
  });
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
  await inviteFor(owner, line);
  expect(line.phone.calls()).toHaveLength(before + 1);
});

/** Returns the number presented to the destination. */
async function presentedNumber(request: Record<string, unknown>): Promise<string> {
  const id = await line.call(numberEnding('16'), request);
  const { from } = await whenCarrierRings(platform, id);
  await end(id);
  return from;
}

test('CALL-21 presents the extension’s bina if the account owns it, else the trunk’s number', async () => {
  const bina = numberEnding('16');
  await account.admin.client.patch('/extensions', { id: line.id, bina });
  expect(await presentedNumber({ caller: line.ramal })).toBe(trunkNumber);
  await assignCallerId(platform.api.base, account.id, bina);
  expect(await presentedNumber({ caller: line.ramal })).toBe(bina);
  expect(await presentedNumber({ caller: undefined })).toBe(bina);
  await unassignCallerId(platform.api.base, account.id, bina);
  expect(await presentedNumber({ caller: line.ramal })).toBe(trunkNumber);
});

test('CALL-22 presents another caller if the account owns it, else 403 and no phone rings', async () => {
  const number = numberEnding('16');
  const body = { caller: number, called: numberEnding('16'), extension: line.ramal };
  const before = line.phone.calls().length;
  const refused = await account.admin.client.post('/calls', body);
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'CALLER_ID_NOT_ALLOWED']);
  await assignCallerId(platform.api.base, account.id, number);
  expect(await presentedNumber({ caller: `+55 (11) ${number.slice(4)}` })).toBe(number);
  expect(line.phone.calls()).toHaveLength(before + 1);
});

test('CALL-23 a leading + and separators are removed for the carrier and the list', async () => {
  const number = numberEnding('16');
  const id = await line.call(`+55 (11) ${number.slice(4, 9)}-${number.slice(9)}`);
  expect((await whenCarrierRings(platform, id)).number).toBe(number);
  const { body } = await account.admin.client.list('/calls', { where: { id } }, { page: '1' });
  expect(body.data[0].to).toBe(number);
  await end(id);
});

test('EXT-08 a second softphone replaces the first: only the newest rings, the first is rejected', async () => {
  const shared = await platform.addLine(account);
  const { simulator, edgeAddress: edge } = platform.engines;
  const registeredAt = async () =>
    (await account.admin.client.get(`/extensions/${shared.id}`)).body.registered_at;
  const before = await registeredAt();
  const second = await simulator.addPhone({
    ramal: shared.ramal,
    domain: account.domain,
    password: shared.senha,
    edge,
  });
  await until(async () => (await registeredAt()) !== before, 'the second softphone is registered');
  const id = await shared.call(numberEnding('16'));
  await whenCall(account, id, 'answered');
  expect(second.calls().map(({ callId }) => callId)).toEqual([id]);
  expect(shared.phone.calls()).toEqual([]);
  await end(id);
  const contacts = await platform.database.query<{ contact: string }>(
    'select contact from edge.location where username = $1',
    [shared.ramal],
  );
  expect(contacts.map(({ contact }) => contact)).toEqual([expect.stringContaining(second.name)]);
});

test('EXT-17 CALL-17 a deleted extension is unregistered and cannot call; its calls stay listed', async () => {
  const { client } = account.admin;
  const gone = await platform.addLine(account);
  const id = await gone.call(numberEnding('17'));
  const ended = await whenCall(account, id, 'ended');
  expect((await client.delete(`/extensions/${gone.id}`)).status).toBe(204);
  expect((await client.get(`/extensions/${gone.id}`)).status).toBe(404);
  const refused = await client.post('/calls', { extension: gone.ramal, called: numberEnding('16') });
  expect([refused.status, refused.body.error.errorCode]).toEqual([404, 'NOT_FOUND']);
  const registrations = 'select from edge.location where username = $1';
  expect(await platform.database.query(registrations, [gone.ramal])).toEqual([]);
  const { body } = await client.list('/calls', { where: { from: gone.ramal } }, { page: '1' });
  // A single call has all fields of the list, and these.
  const details = [
    'timeline',
    'requested_by',
    'caller_id',
    'media_node',
    'recording',
    'contact',
    'leg_quality',
    'legs',
  ];
  const more = [...details, 'noted_at', 'noted_by'];
  const listed = Object.fromEntries(Object.entries(ended).filter(([field]) => !more.includes(field)));
  expect(body.data).toEqual([listed]);
});

test('EXT-17 a call outlives its extension: it continues, ends normally and is charged', async () => {
  const gone = await platform.addLine(account);
  const id = await gone.call(numberEnding('16'));
  await whenCall(account, id, 'answered');
  expect((await account.admin.client.delete(`/extensions/${gone.id}`)).status).toBe(204);
  expect((await whenCall(account, id, 'answered')).from).toBe(gone.ramal);
  await platform.engines.simulator.hangUpCarrier(id);
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ from: gone.ramal, hangup_cause: 'NORMAL_CLEARING', ended_by: 'destination' });
  expect(ended.call_price).not.toBeNull();
  await whenReleased(platform, id);
});

test('CALL-17 a call from an extension whose softphone has unregistered returns 424', async () => {
  const leaving = await platform.addLine(account);
  await whenCall(account, await leaving.call(numberEnding('17')), 'ended');
  await leaving.phone.remove();
  await until(
    async () => !(await account.admin.client.get(`/extensions/${leaving.id}`)).body.registered,
    'the softphone is unregistered',
  );
  const refused = await account.admin.client.post('/calls', {
    extension: leaving.ramal,
    called: numberEnding('16'),
  });
  expect([refused.status, refused.body.error.errorCode]).toEqual([424, 'EXTENSION_NOT_REGISTERED']);
});

async function switchTo(mode: 'test' | 'live', who: TestAccount): Promise<void> {
  const operator = openOperator(platform);
  await switchMode(operator, who.domain, mode);
  await operator.close();
}

const carrierAsked = (number: string) => ({
  simulated: platform.engines.simulator.carrierCalls().some((call) => call.number === number),
  real: live.asked.includes(number),
});

test('ACCT-05 test accounts use only the simulated carrier, live ones the real one, with own credit', async () => {
  const both = await platform.addAccount();
  const two = await platform.addLine(both);
  const balance = async () => (await both.admin.client.get('/accounts/balance')).body.balance;

  const playful = numberEnding('17');
  await whenCall(both, await two.call(playful), 'ended');
  expect(carrierAsked(playful)).toEqual({ simulated: true, real: false });

  await switchTo('live', both);
  expect(await balance()).toBe(0);
  const unpaid = await both.admin.client.post('/calls', { extension: two.ramal, called: numberEnding('17') });
  expect([unpaid.status, unpaid.body.error.errorCode]).toEqual([402, 'INSUFFICIENT_CREDIT']);
  await giveCredit(platform, both.id, 5);
  const serious = '5511987000486';
  expect(await whenCall(both, await two.call(serious), 'ended')).toMatchObject({ hangup_cause: 'USER_BUSY' });
  expect(carrierAsked(serious)).toEqual({ simulated: false, real: true });
  expect(await balance()).toBe(5);

  await switchTo('test', both);
  expect(await balance()).toBe(100);
});

test('ACCT-05 without a trunk for its mode a call is not placed, whatever other trunks exist', async () => {
  const id = await line.call(numberEnding('16'));
  await whenCarrierRings(platform, id);
  await end(id);
  await platform.database.query(`update trunks set enabled = false where mode = 'test'`);
  const refusedAll = async () => {
    const lost = await line.call(numberEnding('17'));
    const ended = await whenCall(account, lost, 'ended');
    return ended.hangup_cause === 'NETWORK_OUT_OF_ORDER' ? { lost, ended } : undefined;
  };
  // Polled, because call control caches trunks for a few seconds.
  const { lost, ended } = await until(refusedAll, 'the change is known');
  expect(ended).toMatchObject({ ended_by: 'system', duration: 0, call_price: 0 });
  expect([atPhone(platform, lost), atCarrier(platform, lost)]).toEqual([undefined, []]);
  expect(carrierAsked(ended.to)).toEqual({ simulated: false, real: false });
});
