import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, billingOfCall, giveCredit, readBalance } from '../../../harness/fixtures/billing.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [
    { prefix: '55', price: 0.333333, minimum: 7, step: 13, free: 2 },
    { prefix: '1', price: 0.3 },
  ]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
});
afterAll(() => platform.close());

const readPrice = async (callId: string) => await account.admin.client.get(`/calls/${callId}/price`);

/** Recomputes the price from the response alone, with big integers. */
function recompute(price: {
  duration: number;
  fundedSeconds: number;
  minutePrice: number;
  increments: { minimumSeconds: number; stepSeconds: number; freeSeconds: number };
}): number {
  const { minimumSeconds, stepSeconds, freeSeconds } = price.increments;
  let billed = price.duration <= freeSeconds ? 0 : minimumSeconds;
  while (billed > 0 && billed < price.duration) billed += stepSeconds;
  const amount = BigInt(Math.min(billed, price.fundedSeconds)) * BigInt(Math.round(price.minutePrice * 1e6));
  const [units, rest] = [amount / 6000n, amount % 6000n];
  const isUp = rest > 3000n || (rest === 3000n && units % 2n === 1n);
  return Number(units + (isUp ? 1n : 0n)) / 10_000;
}

test('LEDGER-11 a price explains prefix, rate, increments, rounding, entries; recomputable', async () => {
  for (const used of [0, 2, 3, 7, 8, 20, 21, 45, 500]) {
    const before = await readBalance(account);
    const call = billingOfCall(platform, account);
    await call.hold('5511987654321');
    await call.renew(30);
    await call.settle(used);
    const { body } = await readPrice(call.callId);
    expect(body).toMatchObject({
      callId: call.callId,
      to: '5511987654321',
      prefix: '55',
      rateDeck: 'deck of 1970-01-01T00:00:00.000Z',
      minutePrice: 0.333333,
      increments: { minimumSeconds: 7, stepSeconds: 13, freeSeconds: 2 },
      rounding: 'half-even to R$ 0.0001, once',
      duration: used,
    });
    expect(body.callPrice).toBe(recompute(body));
    const types = body.entries.map((entry: { type: string }) => entry.type);
    expect(types).toEqual(['hold', 'hold', body.callPrice > 0 ? 'call' : 'release']);
    const sum = (leg: string) =>
      body.entries.reduce(
        (total: number, entry: Record<string, number>) => total + Math.round((entry[leg] ?? 0) * 1e6),
        0,
      );
    expect(sum('held')).toBe(0);
    expect(sum('revenue') / 1e6).toBe(body.callPrice);
    expect(sum('available') / 1e6).toBe(-body.callPrice || 0);
    const spent = Math.round(before.balance * 1e6) - Math.round((await readBalance(account)).balance * 1e6);
    expect(spent / 1e6).toBe(body.callPrice);
  }
});

test('LEDGER-11 the explanation in words matches the fields', async () => {
  const call = billingOfCall(platform, account);
  await call.hold('12025550100');
  expect((await readPrice(call.callId)).body).toMatchObject({
    callPrice: null,
    duration: null,
    billedDuration: null,
    explanation: 'The call has not been priced yet.',
  });
  await call.settle(31);
  expect((await readPrice(call.callId)).body.explanation).toBe(
    '31 s, charged as 36 s at R$ 0.3 per minute on prefix 1: R$ 0.18.',
  );
  const short = billingOfCall(platform, account);
  await short.hold('12025550100');
  await short.settle(3);
  expect((await readPrice(short.callId)).body.explanation).toBe(
    '3 s, free: up to 3 s cost nothing (R$ 0.3 per minute on prefix 1).',
  );
});

test('an unknown call has no price', async () => {
  for (const id of [randomUUID(), 'none', '1']) expect((await readPrice(id)).status).toBe(404);
});
