import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { extensionBody, markRegistered } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { mostRowsRead } from '../../harness/rows-read.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 1_000);
});
afterAll(() => platform.close());

const set = ({ client }: Person, body: object) => client.request('PUT', '/users/me/availability', { body });
const listed = async ({ client }: Person, query: Record<string, string> = {}) =>
  (await client.get('/availability', { query })).body;
const uuids = async (person: Person): Promise<string[]> =>
  (await listed(person)).data.map(({ uuid }: { uuid: string }) => uuid);

async function audited(person: Person) {
  const where = { action: 'user.set-availability' };
  const { body } = await account.admin.client.list('/audit', { where }, { page: '1' });
  return body.data.filter((entry: object) => JSON.stringify(entry).includes(person.uuid));
}

/** Adds an extension of the user, with a registered phone. */
async function addPhone(person: Person): Promise<string> {
  await platform.database.query('update users set email_verified = true where uuid = $1', [person.uuid]);
  const { body } = await account.admin.client.post(
    '/extensions',
    extensionBody({ email_address: person.email }),
  );
  await markRegistered(platform, body.id);
  return body.ramal;
}

test('PRESENCE-01 PRESENCE-02 a user sets their availability, and the same again changes nothing', async () => {
  const user = await account.addUser();
  platform.clock.freeze();
  const since = platform.clock.now().toISOString();
  const away = { status: 'away', reason: 'Lunch' };
  expect(await set(user, away)).toMatchObject({ status: 200, body: { ...away, since } });
  platform.clock.advance(60);
  expect((await set(user, away)).body).toEqual({ ...away, since });
  expect((await user.client.get('/users/me/context')).body.availability).toEqual({ ...away, since });
  const later = platform.clock.now().toISOString();
  expect((await set(user, { status: 'away', reason: '' })).body).toEqual({
    status: 'away',
    reason: null,
    since: later,
  });
  expect((await set(user, { status: 'do_not_disturb' })).body.status).toBe('do_not_disturb');
  const entries = await audited(user);
  expect(entries).toMatchObject([
    { before: { availability: 'away' }, after: { availability: 'do_not_disturb' } },
    { before: { availability: 'available' }, after: { availability: 'away' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Lunch');
});

test('PRESENCE-01 refuses a reason with another status, a long reason, and service tokens', async () => {
  const user = await account.addUser();
  for (const [body, path, code] of [
    [{ status: 'available', reason: 'Lunch' }, 'reason', 'conflict'],
    [{ status: 'do_not_disturb', reason: 'Lunch' }, 'reason', 'conflict'],
    [{ status: 'away', reason: 'x'.repeat(61) }, 'reason', 'too_big'],
    [{ status: 'busy' }, 'status', 'invalid_value'],
  ] as const) {
    const { status, body: answer } = await set(user, body);
    expect([status, answer.error.details]).toMatchObject([422, [{ path, code }]]);
  }
  const { body: token } = await account.admin.client.post('/accounts/accessTokens', {
    name: 'CRM',
    scopes: ['users'],
  });
  const service = platform.client(token.id);
  const answer = await service.request('PUT', '/users/me/availability', { body: { status: 'away' } });
  expect(answer.status).toBe(403);
  expect((await listed(user)).data).toMatchObject([{ status: 'available', reason: null, since: null }]);
  expect(await audited(user)).toEqual([]);
});

test('PRESENCE-03 PRESENCE-07 shows phone, call and state of a person, who may call in every status', async () => {
  const user = await account.addUser();
  const state = async () => (await listed(user)).data[0];
  expect(await state()).toMatchObject({ state: 'offline', isRegistered: false, extensions: [], calls: [] });
  const ramal = await addPhone(user);
  expect(await state()).toMatchObject({ state: 'available', isRegistered: true, extensions: [ramal] });
  await set(user, { status: 'do_not_disturb' });
  expect(await state()).toMatchObject({ state: 'do_not_disturb', isRegistered: true });
  const called = '5511999990016';
  const placed = await user.client.post('/calls', { caller: ramal, called, extension: ramal });
  expect(placed.status).toBe(200);
  expect((await state()).calls).toEqual([]);

  const at = platform.clock.now();
  const [call] = await platform.database.query<{ requested_at: Date }>(
    `update live_calls set state = 'answered', answered_at = $2 where call_id = $1 returning requested_at`,
    [placed.body.id, at],
  );
  expect(await state()).toMatchObject({
    state: 'in_call',
    status: 'do_not_disturb',
    calls: [
      {
        id: placed.body.id,
        direction: 'outbound',
        number: called,
        status: 'answered',
        startedAt: call?.requested_at.toISOString(),
        answeredAt: at.toISOString(),
      },
    ],
  });
  await set(user, { status: 'away' });
  expect(await state()).toMatchObject({ state: 'in_call', status: 'away' });
  await platform.database.query('delete from live_calls where call_id = $1', [placed.body.id]);
});

test('PRESENCE-07 an internal call is listed for both parties, each with the other', async () => {
  const [caller, callee] = [await account.addUser(), await account.addUser()];
  const [from, to] = [await addPhone(caller), await addPhone(callee)];
  const id = '019a8f00-0000-7000-8000-00000000a001';
  await platform.database.query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     values ($1, $2, 'test', 'internal', 'ringing', now(), $3, 60)`,
    [
      id,
      account.id,
      JSON.stringify({ ramal: from, domain: account.domain, destination: to, callerId: from }),
    ],
  );
  const shown = async (person: Person) => (await listed(person)).data[0].calls;
  const call = { id, direction: 'internal', status: 'ringing', answeredAt: null };
  expect(await shown(caller)).toMatchObject([{ ...call, number: to }]);
  expect(await shown(callee)).toMatchObject([{ ...call, number: from }]);
  await platform.database.query('delete from live_calls where call_id = $1', [id]);
});

test('PRESENCE-08 ADMINs and supervisors see all people of the account, other USERs only themselves', async () => {
  const [user, supervisor] = [await account.addUser(), await account.addUser()];
  const permissions = { calls: 'all', recordings: 'own', money: false, webhooks: true, supervision: true };
  const permit = (body: object) =>
    account.admin.client.request('PUT', `/users/${supervisor.uuid}/permissions`, { body });
  expect((await permit({ ...permissions, supervision: false })).status).toBe(200);
  expect(await uuids(supervisor)).toEqual([supervisor.uuid]);
  expect((await permit(permissions)).status).toBe(200);
  const all = await uuids(account.admin);
  expect(all).toEqual(expect.arrayContaining([account.admin.uuid, user.uuid, supervisor.uuid]));
  expect(await uuids(supervisor)).toEqual(all);
  expect(await uuids(user)).toEqual([user.uuid]);
  const { admin: stranger } = await createAccount(platform);
  expect(await uuids(stranger)).toEqual([stranger.uuid]);
});

test('PRESENCE-09 pages of people continue with nextAfter and read no ended calls', async () => {
  const { id, domain, admin, addUser } = await createAccount(platform);
  for (let user = 0; user < 4; user += 1) await addUser();
  await insertCalls(
    platform.database,
    { id, domain },
    Array.from({ length: 200 }, () => ({ startedAt: new Date() })),
  );
  const pages: string[][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page = await listed(admin, { limit: '2', ...(after && { after }) });
    pages.push(page.data.map(({ uuid }: { uuid: string }) => uuid));
    after = page.meta.nextAfter;
  }
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual((await uuids(admin)).toSorted());
  expect((await admin.client.get('/availability', { query: { limit: '501' } })).status).toBe(422);
  const get = () => admin.client.get('/availability');
  const read = (table: string) => mostRowsRead(platform, id, { table, names: /with people/ }, get);
  expect(await read('calls')).toBe(0);
  // Other accounts of this test have people, too.
  expect(await read('users')).toBe(5);
});
