import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microsFromReais } from '../../../../src/platform/money.ts';
import { addDeck, billingOfCharge, giveCredit, readBalance } from '../../../harness/fixtures/billing.ts';
import { addChargedCall } from '../../../harness/fixtures/charged-calls.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const types = ['charge', 'refund', 'chargeback', 'adjustment', 'call'] as const;

interface Line {
  createdAt: string;
  type: (typeof types)[number];
  amount: number;
}

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  account = await createAccount(platform);
  const charge = billingOfCharge(platform, account, 1, 25.5);
  await charge.credit();
  for (let step = 0; step < 120; step += 1) {
    platform.clock.advance(60);
    const amount = step % 3 === 2 ? -0.299_999 : 0.1 * (1 + (step % 3));
    await giveCredit(platform, account.id, amount);
    // Its end is reported late: its entry is younger than those of times after it.
    if (step % 10 === 0) await addChargedCall(platform, account, { startedAt: minutesAgo(3), duration: 61 });
  }
  await charge.takeBack('refund');
}, 60_000);
afterAll(() => platform.close());

const minutesAgo = (minutes: number): Date => new Date(platform.clock.now().getTime() - minutes * 60_000);

const readTotals = async (query: Record<string, string>, of = account) =>
  (await of.admin.client.get('/accounts/statement/totals', { query })).body;

async function readLines(): Promise<Line[]> {
  const pages: Line[][] = [];
  do {
    const page = String(pages.length + 1);
    const { body } = await account.admin.client.list('/accounts/statement', { limit: 100 }, { page });
    pages.push(body.data);
  } while (pages.at(-1)?.length === 100);
  return pages.flat();
}

const sumOf = (lines: Line[]): number =>
  lines.reduce((sum, { amount }) => sum + microsFromReais(amount), 0) / 1e6;

test('LEDGER-20 the totals of a period are exactly those of its lines, over all pages', async () => {
  const lines = await readLines();
  expect(lines.length).toBe(134);
  const calls = lines.filter(({ type }) => type === 'call');
  expect(
    calls.some(({ createdAt }) => lines[lines.indexOf(calls[0] as Line) + 1]?.createdAt !== createdAt),
  ).toBe(true);
  const times = [...new Set(lines.map(({ createdAt }) => createdAt))].sort();
  const at = (index: number): string => times[index] ?? '';
  const seed = randomInt(times.length - 2);
  for (const [from, to] of [
    [0, times.length - 1],
    [seed, seed + 1],
    [1, seed + 2],
    [50, 51],
  ].map(([first = 0, last = 0]) => [at(first), at(last)] as const)) {
    const within = lines.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    const before = lines.filter(({ createdAt }) => createdAt < from);
    const ofType = (type: Line['type']) => sumOf(within.filter((line) => line.type === type));
    expect({ seed, ...(await readTotals({ since: from, until: to })) }).toEqual({
      seed,
      since: from,
      until: to,
      openingBalance: sumOf(before),
      charges: ofType('charge'),
      refunds: ofType('refund'),
      chargebacks: ofType('chargeback'),
      adjustments: ofType('adjustment'),
      calls: ofType('call'),
      closingBalance: sumOf([...before, ...within]),
      entries: within.length,
    });
  }
});

test('LEDGER-20 periods continue each other, from zero to the balance', async () => {
  const lines = await readLines();
  const middle = lines[60]?.createdAt ?? '';
  const [whole, first, second] = [
    await readTotals({}),
    await readTotals({ until: middle }),
    await readTotals({ since: middle }),
  ];
  expect(whole).toMatchObject({ since: null, until: null, openingBalance: 0, entries: lines.length });
  expect(first.openingBalance).toBe(0);
  expect(second.openingBalance).toBe(first.closingBalance);
  expect(second.closingBalance).toBe((await readBalance(account)).balance);
  expect(whole.closingBalance).toBe(second.closingBalance);
  expect(first.entries + second.entries).toBe(lines.length);
  const empty = await createAccount(platform);
  expect(await readTotals({}, empty)).toMatchObject({ openingBalance: 0, closingBalance: 0, entries: 0 });
});

test('LEDGER-20 a period must end after it starts', async () => {
  const query = { since: '2026-11-01T00:00:00Z', until: '2026-11-01T00:00:00Z' };
  const answer = await account.admin.client.get('/accounts/statement/totals', { query });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toMatchObject([{ path: 'until', code: 'too_small' }]);
});

test('LEDGER-13 totals need the permission for money', async () => {
  const user = await account.addUser('USER');
  for (const path of ['/accounts/statement/totals', '/accounts/statement/by-extension']) {
    expect((await user.client.get(path)).status).toBe(403);
    expect((await platform.client().get(path)).status).toBe(401);
  }
  const body = { calls: 'own', recordings: 'none', money: true, webhooks: false, supervision: false };
  await account.admin.client.request('PUT', `/users/${user.uuid}/permissions`, { body });
  for (const path of ['/accounts/statement/totals', '/accounts/statement/by-extension'])
    expect((await user.client.get(path)).status).toBe(200);
});
