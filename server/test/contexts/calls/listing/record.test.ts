import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, billingOfCall, giveCredit } from '../../../harness/fixtures/billing.ts';
import { insertCalls, insertLiveCalls, insertRecording } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let ids: { recorded: string; unanswered: string; live: string; removed: string };

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const metadata = { deal: 'D-1', tries: 3, nested: { list: [1, null, 'é'] } };

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  const [recorded = '', unanswered = '', live = '', removed = ''] = await insertCalls(
    platform.database,
    account,
    [
      { startedAt: minutesAgo(10), recorded: true, metadata },
      { startedAt: minutesAgo(9), duration: 0, hangupCause: 'USER_BUSY', priceMicros: null, bina: null },
      { startedAt: minutesAgo(1), status: 'dialing', recorded: true },
      { startedAt: minutesAgo(20), recorded: true },
    ],
  );
  ids = { recorded, unanswered, live, removed };
  await insertLiveCalls(platform.database, [live]);
  await insertRecording(platform.database, account.id, recorded);
  await insertRecording(platform.database, account.id, removed, 'removed');
});
afterAll(() => platform.close());

const list = (filter?: object, query: Record<string, string> = { page: '1' }) =>
  account.admin.client.list('/calls', filter, query);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const link = expect.stringMatching(
  /^http:\/\/api\.disca\.test\/api\/v1\/recordings\/[0-9a-f-]{36}\?signature=/,
);

test('CALL-03 CALL-04 lists calls in data with meta, newest first, or oldest first on request', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
  const newestFirst = [ids.live, ids.unanswered, ids.recorded, ids.removed];
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(newestFirst);
  expect(body.meta).toEqual({ totalItemCount: 4, totalPageCount: 1, itemsPerPage: 100, currentPage: 1 });
  for (const order of ['started_at ASC', 'date ASC', 'id ASC']) {
    const oldestFirst = (await list({ order })).body.data.map(({ id }: { id: string }) => id);
    expect(oldestFirst, order).toEqual(newestFirst.toReversed());
  }
});

test('CALL-05 CALL-09 CALL-42 returns exactly the fields of an ended, recorded and priced call', async () => {
  const { body } = await list({ where: { id: ids.recorded } });
  expect(body.data).toEqual([
    {
      id: ids.recorded,
      domain: account.domain,
      call_type: 'outbound',
      status: 'ended',
      started_at: time,
      answered_at: time,
      ended_at: time,
      from: '1000',
      to: '5511987654321',
      duration: 42,
      billed_duration: 42,
      hangup_cause: 'NORMAL_CLEARING',
      ended_by: 'destination',
      record_url: link,
      email: 'ana@empresa.test',
      first_name: 'Ana',
      last_name: 'Souza',
      BINA: '551133334444',
      minute_price: 0.12,
      call_price: 0.084,
      metadata,
      disposition: null,
      note: null,
      tags: [],
      quality: null,
      on_hold: false,
    },
  ]);
  expect(body.data[0].record_url).toContain(ids.recorded);
});

test('CALL-09 CALL-35 unknown fields are null, and without a recording there is no link', async () => {
  const { data } = (await list()).body;
  const of = (id: string) => data.find((call: { id: string }) => call.id === id);
  expect(of(ids.unanswered)).toMatchObject({
    answered_at: null,
    ended_at: time,
    duration: 0,
    hangup_cause: 'USER_BUSY',
    record_url: null,
    minute_price: null,
    call_price: null,
    BINA: '',
  });
  expect(of(ids.live)).toMatchObject({
    status: 'dialing',
    answered_at: null,
    ended_at: null,
    duration: 0,
    billed_duration: null,
    hangup_cause: null,
    ended_by: null,
    record_url: null,
    minute_price: null,
    call_price: null,
  });
  expect(of(ids.removed).record_url).toBeNull();
});

test('CALL-11 returns one call with its timeline', async () => {
  const { status, body } = await account.admin.client.get(`/calls/${ids.recorded}`);
  expect(status).toBe(200);
  const { timeline, ...record } = body;
  const [listed] = (await list({ where: { id: ids.recorded } })).body.data;
  expect({ ...record, record_url: '' }).toMatchObject({ ...listed, record_url: '' });
  expect(record.record_url).toEqual(link);
  expect(timeline).toEqual([
    { at: record.started_at, what: 'queued' },
    { at: record.answered_at, what: 'answered' },
    { at: record.ended_at, what: 'ended', cause: 'NORMAL_CLEARING' },
  ]);
  const inCapitals = await account.admin.client.get(`/calls/${ids.recorded.toUpperCase()}`);
  expect(inCapitals.body.id).toBe(ids.recorded);
});

test('CALL-11 ERR-07 unknown, malformed and foreign ids get the same response', async () => {
  const other = await createAccount(platform);
  const foreign = await other.admin.client.get(`/calls/${ids.recorded}`);
  const unknown = await other.admin.client.get('/calls/019a8f00-0000-7000-8000-000000000000');
  const malformed = await other.admin.client.get('/calls/nonsense');
  expect(foreign.status).toBe(404);
  expect(foreign.body.error.errorCode).toBe('NOT_FOUND');
  expect(unknown.text).toBe(foreign.text);
  expect(malformed.text).toBe(foreign.text);
  const empty = await other.admin.client.list('/calls', undefined, { page: '1' });
  expect(empty.body).toMatchObject({ data: [], meta: { totalItemCount: 0 } });
  const byId = await other.admin.client.list('/calls', { where: { id: ids.recorded } }, { page: '1' });
  expect(byId.body.data).toEqual([]);
  const searched = await other.admin.client.list('/calls/search', { where: { 'metadata.deal': 'D-1' } });
  expect(searched.body.data).toEqual([]);
  const exported = await other.admin.client.get('/calls/export');
  expect(exported.text.trim().split('\r\n')).toHaveLength(1);
});

test('PERM-02 PERM-04 a USER can read all calls of an account that shows them to USERs', async () => {
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const { client } = await account.addUser();
  const { body } = await client.list('/calls', undefined, { page: '1' });
  expect(body.data).toHaveLength(4);
  expect((await client.get(`/calls/${ids.recorded}`)).status).toBe(200);
});

test('LIST-23 includes only the timeline and the price explanation', async () => {
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  await giveCredit(platform, account.id, 10);
  const money = billingOfCall(platform, account, ids.recorded);
  await money.hold();
  await money.settle(42);
  const where = { id: { inq: [ids.recorded, ids.unanswered] } };
  const [without, priced] = (await list({ where, include: ['price', 'timeline'] })).body.data;
  expect(priced.price).toEqual((await account.admin.client.get(`/calls/${ids.recorded}/price`)).body);
  expect(priced.price).toMatchObject({ callId: ids.recorded, billedDuration: 42, callPrice: 0.084 });
  expect(priced.timeline).toHaveLength(3);
  expect(without.price).toBeNull();
  const { data } = (await list({ where, include: 'timeline', fields: ['id'] })).body;
  expect(data.map((call: object) => Object.keys(call))).toEqual([
    ['id', 'timeline'],
    ['id', 'timeline'],
  ]);
  const refused = await list({ include: ['user'] });
  expect(refused.status).toBe(400);
  expect(refused.body.error.errorCode).toBe('INVALID_FILTER');
});

test('CALL-45 CALL-65 one call has its requester, caller ID, node and the state of its recording', async () => {
  const open = async (id: string) => (await account.admin.client.get(`/calls/${id}`)).body;
  expect(await open(ids.unanswered)).toMatchObject({
    requested_by: null,
    caller_id: null,
    media_node: null,
    recording: null,
  });
  const user = await account.addUser();
  await platform.database.query(
    `update calls set requested_by = (select id from users where uuid = $2), caller_id = '551130304040', node = 'm1'
      where id = $1`,
    [ids.recorded, user.uuid],
  );
  expect(await open(ids.recorded)).toMatchObject({
    requested_by: { uuid: user.uuid, name: expect.stringMatching(/^Pessoa/) },
    caller_id: '551130304040',
    media_node: 'm1',
    recording: { state: 'stored', duration_ms: null, expires_at: time },
  });
  expect((await open(ids.removed)).recording.state).toBe('removed');
  expect((await open(ids.live)).recording).toEqual({
    state: 'expected',
    duration_ms: null,
    expires_at: null,
  });
  await account.admin.client.delete(`/users/${user.uuid}`);
  expect((await open(ids.recorded)).requested_by).toBeNull();
  const { data } = (await list({ where: { id: ids.recorded } })).body;
  expect(data[0]).not.toHaveProperty('recording');
});
