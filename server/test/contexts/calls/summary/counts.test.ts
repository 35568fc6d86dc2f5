import { afterAll, beforeAll, expect, test } from 'vitest';
import { countDays } from '../../../../src/contexts/calls/summary/call-counts.ts';
import { type CallRow, insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

const hour = 3_600_000;
const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour;
const at = (days: number, hours = 0) => new Date(midnight + (days * 24 + hours) * hour);

/** Two calls every six hours for today and the ten days before; all have ended except one of today. */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  platform.clock.freeze();
  platform.clock.advance((at(0, 12).getTime() - platform.clock.now().getTime()) / 1000);
  account = await createAccount(platform);
  const other = await createAccount(platform);
  const calls: (Partial<CallRow> & { startedAt: Date })[] = [];
  for (let hours = -240; hours < 12; hours += 6)
    calls.push({ startedAt: at(0, hours) }, { startedAt: at(0, hours) });
  calls.push({ startedAt: at(0, 11), status: 'dialing' });
  await insertCalls(platform.database, account, calls);
  await insertCalls(platform.database, other, calls.slice(0, 10));
});
afterAll(() => platform.close());

const count = () => countDays(platform.api.base, AbortSignal.timeout(120_000));

/** Returns the total of a page before the last, which has to be counted. */
async function countTotal(where: object): Promise<number> {
  const { body, headers } = await account.admin.client.list('/calls', { where, limit: 1 }, { page: '1' });
  expect(headers).not.toHaveProperty('x-total-estimated');
  return body.meta.totalItemCount;
}

const between = (from: Date, until: Date) => ({ date: { gte: from.toISOString(), lt: until.toISOString() } });
const filters: object[] = [
  {},
  { status: 'ended' },
  { status: 'dialing' },
  { date: at(-3).toISOString().slice(0, 10) },
  { date: { gte: at(-5, 6).toISOString() } },
  { date: { gt: at(-5, 6).toISOString() } },
  { date: { lte: at(-2, 6).toISOString() } },
  { date: { lt: at(-2, 6).toISOString() }, status: 'ended' },
  { date: { between: [at(-8, 6).toISOString(), at(-1, 18).toISOString()] } },
  between(at(-8, 1), at(-7, 23)),
  between(at(-4), at(-4)),
  between(at(-4), at(-6)),
  between(at(-300), at(300)),
  { date: at(-2, 6).toISOString() },
  { date: { neq: at(-2, 6).toISOString() } },
  { or: [{ status: 'ended' }, { status: 'dialing' }] },
  { status: { inq: ['ended'] }, date: { gte: at(-9).toISOString() } },
];

const counted = () =>
  platform.database.query<{ day: string; calls: number }>(
    `select to_char(day, 'YYYY-MM-DD') as day, calls from call_counts where account_id = $1 order by day`,
    [account.id],
  );

test('LIST-22 totals are equal and exact before and after days are counted', async () => {
  const before = await Promise.all(filters.map(countTotal));
  expect(before.slice(0, 4)).toEqual([85, 84, 1, 8]);
  await count();
  const days = await counted();
  expect(days).toHaveLength(10);
  expect(days.every(({ calls }) => calls === 8)).toBe(true);
  expect(await Promise.all(filters.map(countTotal))).toEqual(before);
});

test('counting is idempotent, and a day is counted one hour after its end', async () => {
  await count();
  expect(await counted()).toHaveLength(10);
  platform.clock.advance(12.5 * 3600);
  await platform.database.query(
    `update calls set status = 'ended', ended_at = now() where status = 'dialing'`,
  );
  await count();
  expect(await counted()).toHaveLength(10);
  platform.clock.advance(3600);
  await count();
  expect((await counted()).at(-1)).toEqual({ day: at(0).toISOString().slice(0, 10), calls: 5 });
});

test('LIST-22 totals are read from the counted days', async () => {
  await platform.database.query(`update call_counts set calls = calls + 1000 where account_id = $1`, [
    account.id,
  ]);
  expect(await countTotal({})).toBe(11_085);
  expect(await countTotal({ status: 'ended' })).toBe(11_085);
  // The total of the last page is derived from its items.
  const { body } = await account.admin.client.list('/calls', {}, { page: '1' });
  expect(body.meta.totalItemCount).toBe(85);
  // With other filters, the rows are counted.
  expect(await countTotal({ from: '1000' })).toBe(85);
  await platform.database.query(`update call_counts set calls = calls - 1000 where account_id = $1`, [
    account.id,
  ]);
});

test('a day with a running call is not counted yet, nor are the days after it', async () => {
  const tomorrow = at(1, 3);
  const [id] = await insertCalls(platform.database, account, [
    { startedAt: tomorrow, status: 'answered' },
    { startedAt: at(2, 3) },
  ]);
  platform.clock.advance(3 * 24 * 3600);
  await count();
  expect(await counted()).toHaveLength(11);
  expect(await countTotal({})).toBe(87);
  await platform.database.query(`update calls set status = 'ended', ended_at = now() where id = $1`, [id]);
  await count();
  expect(await counted()).toHaveLength(13);
  expect(await countTotal({})).toBe(87);
});
