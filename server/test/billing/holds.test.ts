import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger, holdForCall, renewHold, settleCall } from '../../src/contexts/billing/index.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';
import { addDeck, giveCredit, within } from './scene.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [
    { prefix: '55', price: 0.12 },
    { prefix: '5511', price: 0.1 },
    { prefix: '55119', price: 0.3 },
  ]);
});
afterAll(() => platform.close());

const destination = '5511987654321';

function callOf(account: TestAccount, callId = randomUUID()) {
  const call = { accountId: account.id, callId };
  const now = () => platform.clock.now();
  return {
    callId,
    hold: (to = destination) =>
      within(platform, account.id, (tx) =>
        holdForCall(tx, platform.api.app, { ...call, destination: to, at: now() }),
      ),
    renew: (usedSeconds: number) =>
      within(platform, account.id, (tx) =>
        renewHold(tx, platform.api.app, { ...call, usedSeconds, at: now() }),
      ),
    settle: (usedSeconds: number) =>
      within(platform, account.id, (tx) => settleCall(tx, { ...call, usedSeconds, at: now() })),
  };
}

const balanceOf = async (account: TestAccount) => (await account.admin.client.get('/accounts/balance')).body;

test('LEDGER-02 LEDGER-05 LEDGER-06 a call holds a minute ahead, is renewed, and is charged once by its price', async () => {
  const account = await createAccount(platform);
  await giveCredit(platform, account.id, 10);
  const call = callOf(account);
  expect(await call.hold()).toMatchObject({ fundedSeconds: 60, isLast: false });
  expect(await balanceOf(account)).toEqual({ balance: 10, held: 0.3, available: 9.7, currency: 'BRL' });
  expect(await call.renew(30)).toMatchObject({ fundedSeconds: 90, isLast: false });
  expect(await balanceOf(account)).toEqual({ balance: 10, held: 0.45, available: 9.55, currency: 'BRL' });
  expect(await call.settle(61)).toEqual({ usedSeconds: 61, billedSeconds: 66, priceMicros: 330_000 });
  expect(await call.settle(61)).toEqual({ usedSeconds: 61, billedSeconds: 66, priceMicros: 330_000 });
  expect(await balanceOf(account)).toEqual({ balance: 9.67, held: 0, available: 9.67, currency: 'BRL' });
  expect(await auditLedger(platform.api.base)).toEqual([]);
  const price = await account.admin.client.get(`/calls/${call.callId}/price`);
  expect(price.body).toMatchObject({ prefix: '55119', callPrice: 0.33, billedDuration: 66 });
  const statement = await account.admin.client.list('/accounts/statement', undefined, { page: '1' });
  expect(statement.body.data.map((line: { amount: number }) => line.amount)).toEqual([-0.33, 10]);
});
