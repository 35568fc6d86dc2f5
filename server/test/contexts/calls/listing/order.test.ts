import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
/** Ids of the calls, oldest first: one per hour. */
let ids: string[];
let startMs: number;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const calls = Array.from({ length: 60 }, (_, n) => ({
  duration: (n * 37) % 50,
  price: n % 7 === 0 ? null : (n * 13) % 40,
}));

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform);
  startMs = platform.clock.now().getTime() - 5 * dayMs;
  ids = await insertCalls(
    platform.database,
    account,
    calls.map(({ duration, price }, n) => ({
      startedAt: new Date(startMs + n * hourMs),
      duration,
      priceMicros: price === null ? null : { minute: 1, call: price },
    })),
  );
});
afterAll(() => platform.close());

const ask = (path: string, filter: object, query: Record<string, string> = {}) =>
  account.admin.client.list(path, filter, path === '/calls' ? { page: '1', ...query } : query);
const since = (days: number) => ({ started_at: { gte: new Date(startMs - days * dayMs).toISOString() } });
const numbersOf = (data: { id: string }[]) => data.map(({ id }) => ids.indexOf(id));

/** PostgreSQL sorts null as the largest value. */
const rank = (value: number | null) => value ?? Number.POSITIVE_INFINITY;

test('LIST-25 calls are ordered by duration and price, also across pages', async () => {
  for (const [field, value] of [
    ['duration', ({ duration }) => duration],
    ['call_price', ({ price }) => rank(price)],
  ] as [string, (call: (typeof calls)[number]) => number][]) {
    const ascending = calls
      .map((call, n) => ({ n, value: value(call) }))
      .toSorted((a, b) => (a.value === b.value ? a.n - b.n : a.value < b.value ? -1 : 1))
      .map(({ n }) => n);
    for (const [direction, expected] of [
      ['ASC', ascending],
      ['DESC', ascending.toReversed()],
    ] as const) {
      const filter = { order: `${field} ${direction}`, where: since(1) };
      expect(numbersOf((await ask('/calls', filter)).body.data)).toEqual(expected);
      const walked: number[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await ask('/calls/search', { ...filter, limit: 25 }, cursor ? { cursor } : {});
        walked.push(...numbersOf(body.data));
        cursor = body.meta.nextCursor;
      } while (cursor !== undefined && walked.length < 200);
      expect(walked).toEqual(expected);
    }
  }
  const range = [10, 20].map((n) => new Date(startMs + n * hourMs).toISOString());
  const part = await ask('/calls', {
    order: 'duration DESC',
    where: { date: { between: range }, duration: { gte: 10 } },
  });
  const expected = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    .filter((n) => (calls[n]?.duration ?? 0) >= 10)
    .toSorted((a, b) => (calls[b]?.duration ?? 0) - (calls[a]?.duration ?? 0));
  expect(numbersOf(part.body.data)).toEqual(expected);
});

test('LIST-25 a wider or missing range is refused with the limit', async () => {
  const late = new Date(startMs + 26 * dayMs).toISOString();
  for (const where of [
    {},
    since(27),
    { started_at: { lt: late } },
    { started_at: { gte: new Date(startMs - 6 * dayMs).toISOString(), lt: late } },
    { or: [since(1), { duration: 1 }] },
  ])
    for (const path of ['/calls', '/calls/search']) {
      const { status, body } = await ask(path, { order: 'duration DESC', where });
      expect([status, body.error.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
      expect(body.error.message).toBe(
        'Ordering by `duration` or `call_price` requires a range of `started_at` of at most 31 days in `where`.',
      );
    }
  const widest = { started_at: { gte: new Date(startMs - 5 * dayMs).toISOString(), lt: late } };
  expect((await ask('/calls', { order: 'call_price', where: widest })).status).toBe(200);
  expect((await ask('/calls/export', { order: 'duration', where: widest })).status).toBe(400);
});
