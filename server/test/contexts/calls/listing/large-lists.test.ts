import { afterAll, beforeAll, expect, test } from 'vitest';
import { endLiveCalls, insertCalls, insertLiveCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

const count = 30_000;

/** More calls than one page may read, one per minute. In each thousand only the oldest has a deal and a long duration. */
beforeAll(async () => {
  // A separate platform, because a test changes a policy of the database.
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  const { query } = platform.database;
  await query(`select make_call_months('2026-01-01', '2026-02-01')`);
  await query(
    `insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
       email, first_name, last_name, recorded, duration, metadata, timeline)
     select (left(uuid_floor(at)::text, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'test', 'outbound',
            'ended', at, at, at, '1000', '55119' || 80000000 + n, 'ana@empresa.test', 'Ana', 'Souza', false,
            case when n % 1000 = 0 then 9999 else n % 60 end,
            case when n % 1000 = 0 then jsonb_build_object('deal', 'D' || n) else '{}' end, '[]'
       from generate_series(0, ${count - 1}) n, lateral (select timestamptz '2026-01-01Z' + n * interval '1 minute') as t(at)`,
    [account.id, account.domain],
  );
  await query(
    `insert into call_pairs select account_id, hashtextextended(key || '=' || value::text, 0), id
       from calls, jsonb_each(metadata) where account_id = $1`,
    [account.id],
  );
  await query(
    `insert into call_notes (account_id, id, disposition, tags, updated_at, updated_by)
     select account_id, id, 'Sale', '{vip}', started_at, 0 from calls where account_id = $1 and duration = 9999`,
    [account.id],
  );
  await query('analyze calls, call_pairs, call_notes');
});
afterAll(() => platform?.close());

const ask = (filter?: object, query: Record<string, string> = { page: '1' }) =>
  account.admin.client.list('/calls', filter, query);

test('LIST-19 the last cursor page is as fast as the first', async () => {
  const deepest = { where: { date: { gte: '2026-01-01T00:00:00Z' } } };
  const { nextCursor } = (await account.admin.client.list('/calls/search', { limit: 1 })).body.meta;
  const last = await platform.database.query<{ id: string }>(
    'select id from calls where account_id = $1 order by id offset 200 limit 1',
    [account.id],
  );
  // A cursor is a position and a fingerprint of the query, so the cursor of the last page can be derived from that of
  // the first.
  const [print] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
  const deep = Buffer.from(JSON.stringify([print, last[0]?.id])).toString('base64url');
  const timed = async (cursor: string) => {
    const startedAt = performance.now();
    expect((await ask(undefined, { cursor })).body.data).toHaveLength(100);
    return performance.now() - startedAt;
  };
  const [shallowMs, deepMs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 12; i += 1) {
    shallowMs.push(await timed(nextCursor));
    deepMs.push(await timed(deep));
  }
  expect(Math.min(...deepMs)).toBeLessThan(3 * Math.min(...shallowMs));
  expect((await ask(deepest, { page: '300' })).body.data).toHaveLength(100);
});

test('NOTE-05 the few calls with a disposition, a tag or a note are found among many', async () => {
  for (const where of [{ disposition: 'Sale' }, { tags: 'vip' }, { disposition: { exists: true } }]) {
    const { status, body, text } = await ask({ where });
    expect([status, body.meta?.totalItemCount], text).toEqual([200, count / 1000]);
  }
  expect((await ask({ where: { note: { ilike: '%sale%' } } })).body.data).toEqual([]);
});

test('LIST-23 rejects a filter that would read too many calls, with advice to narrow it', async () => {
  const refused = await ask({ where: { duration: 12_345 } });
  expect(refused.status).toBe(400);
  expect(refused.body.error.errorCode).toBe('FILTER_TOO_EXPENSIVE');
  expect(refused.body.error.message).toMatch(/started_at/);
  expect(refused.body.error.message).toMatch(/metadata/);
  const narrowed = await ask({ where: { duration: 12_345, date: '2026-01-03' } });
  expect(narrowed.body).toMatchObject({ data: [], meta: { totalItemCount: 0 } });
});

test('LIST-23 rare calls are found by indexed fields, frequent ones by any field', async () => {
  const number = '5511980012000';
  for (const where of [
    { metadata: { deal: 'D12000' } },
    { 'metadata.deal': 'D12000' },
    { phone: number },
    { phone: { like: '%0012000' } },
    { phone: { like: '55119800120%' }, duration: 9999 },
  ]) {
    const { status, body } = await ask({ where });
    expect(status).toBe(200);
    expect(body.data.map(({ to }: { to: string }) => to)).toEqual([number]);
  }
  expect((await ask({ where: { phone: { like: '%9800%' } }, order: 'id' })).body.data).toHaveLength(100);
});

test('CALL-41 an export may read any number of calls for few matches', async () => {
  const { status, text } = await account.admin.client.list('/calls/export', {
    where: { duration: { gt: 9_000 } },
    fields: ['to'],
  });
  expect(status).toBe(200);
  expect(text.trim().split('\r\n')).toHaveLength(31);
});

test('COMPAT-06 names without case are found on the same pages as with eq', async () => {
  const recent = { gte: '2026-01-20T00:00:00Z' };
  for (const [loose, exact, page] of [
    [{ first_name: 'ANA' }, { first_name: { eq: 'Ana' } }, '1'],
    [{ first_name: 'ána' }, { first_name: { eq: 'Ana' } }, '300'],
    [{ last_name: 'souza', duration: 59 }, { last_name: { eq: 'Souza' }, duration: 59 }, '2'],
    [{ first_name: 'Bia', date: recent }, { first_name: { eq: 'Bia' }, date: recent }, '1'],
  ] as const) {
    const [found, expected] = [await ask({ where: loose }, { page }), await ask({ where: exact }, { page })];
    expect([found.status, expected.status], found.text.slice(0, 200)).toEqual([200, 200]);
    expect(found.body).toEqual(expected.body);
  }
});

test('COMPAT-06 rare e-mail addresses are found in every spelling, in order and with their total', async () => {
  // Only old calls have it: too far to be found by reading calls in page order.
  await platform.database.query(
    `update calls set email = case duration when 17 then 'Rara@empresa.test' else 'rara@empresa.test' end
      where account_id = $1 and duration in (17, 18) and started_at < '2026-01-10Z'`,
    [account.id],
  );
  const rare = await platform.database.query<{ id: string }>(
    `select id from calls where account_id = $1 and email ilike 'rara@%' order by id desc`,
    [account.id],
  );
  expect(rare.length).toBeGreaterThan(300);
  const ids = rare.map(({ id }) => id);
  const where = { email: 'RARA@empresa.test' };
  for (const [filter, expected] of [
    [{ where }, ids.slice(0, 100)],
    [{ where, order: 'id ASC', limit: 10 }, ids.toReversed().slice(0, 10)],
    [{ where: { ...where, duration: 17 }, limit: 5 }, undefined],
  ] as const) {
    const { status, body, text } = await ask(filter);
    expect(status, text).toBe(200);
    if (expected) expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected);
    else
      expect(body.data.map(({ email }: { email: string }) => email)).toEqual(
        Array(5).fill('Rara@empresa.test'),
      );
  }
  const first = await ask({ where });
  expect(first.body.meta.totalItemCount).toBe(ids.length);
  const cursor = new URLSearchParams(/\?([^>]*)>/.exec(first.headers.link ?? '')?.[1]).get('cursor') ?? '';
  const second = await ask({ where }, { cursor });
  expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(100, 200));
  expect((await ask({ where: { email: 'nada@empresa.test' } })).body.meta.totalItemCount).toBe(0);
});

test('LIST-22 a total too slow to count is estimated and marked so; others are exact', async () => {
  const filter = { where: { from: '1000' }, limit: 1 };
  const exact = await ask(filter);
  expect(exact.body.meta.totalItemCount).toBe(count);
  expect(exact.headers).not.toHaveProperty('x-total-estimated');
  await platform.database.query(
    `create function dawdle(id uuid) returns boolean language plpgsql as $$
     begin perform pg_sleep(0.005); return true; end $$;
     alter policy own_account on calls using (account_id = current_account() and dawdle(id))`,
  );
  const estimated = await ask(filter);
  expect(estimated.status).toBe(200);
  expect(estimated.headers['x-total-estimated']).toBe('true');
  expect(estimated.body.meta.totalItemCount).toBeGreaterThan(1);
  expect(estimated.body.meta.nextPage).toBe(2);
});

test('CALL-51 running calls are found among any number of ended ones, in order and with their total', async () => {
  // Older than all others: too far to be found by reading calls in page order.
  const startedAt = [3, 2, 1].map((days) => new Date(Date.UTC(2026, 0, 1 - days)));
  const inserted = startedAt.map((each) => ({ startedAt: each, status: 'answered' as const }));
  const ids = (await insertCalls(platform.database, account, inserted)).reverse();
  await insertLiveCalls(platform.database, ids);
  await platform.database.query(`update live_calls set state = 'ringing' where call_id = $1`, [ids[2]]);
  const found = async (where: object, order?: string) => {
    const { status, body } = await ask({ where, limit: 2, ...(order !== undefined && { order }) });
    expect(status).toBe(200);
    return [body.meta.totalItemCount, ...body.data.map(({ id }: { id: string }) => id)];
  };
  expect(await found({ status: { neq: 'ended' } })).toEqual([3, ids[0], ids[1]]);
  expect(await found({ status: { inq: ['ringing', 'answered'] } }, 'id')).toEqual([3, ids[2], ids[1]]);
  expect(await found({ status: 'answered', from: '1000' })).toEqual([2, ids[0], ids[1]]);
  expect(await found({ status: 'ringing' })).toEqual([1, ids[2]]);
  expect(await found({ status: 'queued' })).toEqual([0]);
  await endLiveCalls(platform.database, ids);
  expect(await found({ status: { neq: 'ended' } })).toEqual([0]);
});
