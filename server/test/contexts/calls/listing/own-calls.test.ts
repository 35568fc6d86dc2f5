import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type Person, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { mostRowsRead } from '../../../harness/rows-read.ts';

let platform: Platform;
let account: TestAccount;
let user: Person;

/** More calls than a page may read in page order. */
const count = 60_000;

/** One call in 10,000 is the user's, and one in 15,000 was requested by the user; all belong to the same extension. */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform);
  user = await account.addUser();
  const { query } = platform.database;
  await query(`select make_call_months('2026-01-01', '2026-02-01')`);
  await query(
    `insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
       email, first_name, last_name, recorded, duration, metadata, timeline, user_id, requested_by)
     select (left(uuid_floor(at)::text, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'test', 'outbound',
            'ended', at, at, at, '1000', '55119' || 80000000 + n, 'ana@empresa.test', 'Ana', 'Souza', false, n % 60, '{}',
            '[]', case when n % 10000 = 7 then u.id else $4::bigint end, case when n % 15000 in (7, 8) then u.id end
       from generate_series(0, ${count - 1}) n, lateral (select timestamptz '2026-01-01Z' + n * interval '60 s') as t(at),
            users u
      where u.uuid = $3`,
    [account.id, account.domain, user.uuid, 999_999_999],
  );
  await query(`insert into call_words select account_id, 'ana', id from calls where account_id = $1`, [
    account.id,
  ]);
  await query('vacuum analyze calls, call_words');
});
afterAll(() => platform?.close());

const ownIds = async (condition = 'true') =>
  (
    await platform.database.query<{ id: string }>(
      `select c.id from calls c, users u
        where u.uuid = $2 and c.account_id = $1 and (c.user_id = u.id or c.requested_by = u.id) and ${condition}
        order by c.id desc`,
      [account.id, user.uuid],
    )
  ).map(({ id }) => id);

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

test('PERM-04 lists the few own calls among many, each once, with their exact number', async () => {
  const own = await ownIds();
  expect(own.length).toBeGreaterThan(10);
  const { status, body } = await user.client.list('/calls', { fields: ['id'] }, { page: '1' });
  expect([status, body.meta.totalItemCount]).toEqual([200, own.length]);
  expect(idsOf(body.data)).toEqual(own);
  const second = await user.client.list('/calls', { fields: ['id'], limit: 4 }, { page: '2' });
  expect(idsOf(second.body.data)).toEqual(own.slice(4, 8));
  const oldest = await user.client.list('/calls', { fields: ['id'], order: 'id ASC' }, { page: '1' });
  expect(idsOf(oldest.body.data)).toEqual(own.toReversed());
});

test('PERM-04 own calls are found by filters that match almost no call, and by cursor', async () => {
  const where = { duration: 7 };
  const filtered = await user.client.list('/calls', { fields: ['id'], where }, { page: '1' });
  expect(filtered.status, filtered.text).toBe(200);
  expect(idsOf(filtered.body.data)).toEqual(await ownIds('c.duration = 7'));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const query: Record<string, string> = cursor === undefined ? {} : { cursor };
    const { body } = await user.client.list('/calls/search', { fields: ['id'], limit: 3 }, query);
    found.push(...idsOf(body.data));
    cursor = body.meta.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(await ownIds());
});

test('PERM-04 a search for a word of all calls finds the own ones', async () => {
  const found: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const query = { q: 'ana', ...(cursor === undefined ? {} : { cursor }) };
    const { status, body, text } = await user.client.list('/calls/search', { fields: ['id'] }, query);
    expect(status, text).toBe(200);
    found.push(...idsOf(body.data));
    cursor = body.meta.nextCursor;
    pages += 1;
  } while (cursor !== undefined && pages < 20);
  expect(found).toEqual(await ownIds());
  expect(pages).toBeLessThan(20);
});

test('PERM-04 the export and the summary have the own calls only', async () => {
  const own = await ownIds();
  const { text } = await user.client.list('/calls/export', { fields: ['id'] });
  expect(text.trim().split('\r\n').slice(1)).toEqual(own);
  const window = 'since=2026-01-01T00:00:00Z&until=2026-02-20T00:00:00Z';
  const { body } = await user.client.get(`/calls/summary?${window}`);
  expect(body.totals.calls).toBe(own.length);
  expect((await account.admin.client.get(`/calls/summary?${window}`)).body.totals.calls).toBe(count);
});

const mostCallsRead = (request: () => Promise<{ status: number; text: string }>) =>
  mostRowsRead(platform, account.id, { table: 'calls', names: /\bcall(s|_records)\b/ }, request);

test('PERM-04 no statement for a user with few calls reads the calls of the account', async () => {
  const { client } = user;
  const window = 'since=2026-01-01T00:00:00Z&until=2026-02-20T00:00:00Z';
  const where = { duration: 7 };
  const requests = {
    list: () => client.list('/calls', {}, { page: '1' }),
    oldest: () => client.list('/calls', { order: 'id ASC' }, { page: '1' }),
    filtered: () => client.list('/calls', { where }, { page: '1' }),
    search: () => client.list('/calls/search', { where }),
    words: () => client.list('/calls/search', {}, { q: 'ana' }),
    export: () => client.list('/calls/export'),
    summary: () => client.get(`/calls/summary?${window}`),
  };
  for (const [name, request] of Object.entries(requests)) {
    const read = await mostCallsRead(request);
    expect(read, name).toBeLessThan(100);
  }
  // What the same summary reads for an ADMIN shows that the reads are counted.
  const all = () => account.admin.client.get(`/calls/summary?${window}`);
  expect(await mostCallsRead(all)).toBe(count);
});
