import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import {
  create,
  freezeAtNoon,
  type LiveFixture,
  read,
  readStatement,
  runDueChecks,
  startLiveFixture,
} from '../../harness/fixtures/charges.ts';
import { markRegistered, nextBody } from '../../harness/fixtures/extensions.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import type { TestAccount } from '../../harness/people.ts';

const day = 24 * 3600;
let fixture: LiveFixture;

beforeAll(async () => {
  fixture = await startLiveFixture({ CHARGE_FEE: '2' });
  freezeAtNoon(fixture.platform);
});
afterAll(() => fixture.stop());

/** Creates an account that signed up this many days ago. */
async function accountOfAge(days: number): Promise<TestAccount> {
  const account = await fixture.account();
  await fixture.platform.database.query('update accounts set created_at = $2 where id = $1', [
    account.id,
    new Date(fixture.platform.clock.now().getTime() - days * day * 1000),
  ]);
  return account;
}

/** Read from the database, because tokens expire while the clock is moved. */
async function readAvailable({ id }: TestAccount): Promise<number> {
  const [row] = await fixture.platform.database.query<{ available: number }>(
    "select available_micros / 1e6 as available from ledger_balances where account_id = $1 and book = 'live'",
    [id],
  );
  return Number(row?.available ?? 0);
}

const retainedOf = async (chargeId: number): Promise<number> => {
  const [row] = await fixture.platform.database.query<{ retained: number }>(
    'select retained_micros / 1e6 as retained from charges where id = $1',
    [chargeId],
  );
  return Number(row?.retained);
};

async function confirm(account: TestAccount, amount: number, paymentMethod: string) {
  const charge = await create(fixture.platform, account, { amount, paymentMethod });
  fixture.asaas.confirm(charge.paymentId);
  await fixture.deliver();
  return charge;
}

test('CHARGE-28 card payments of a new account are credited up to R$ 200 in all, and the rest when received', async () => {
  const account = await accountOfAge(1);
  const first = await confirm(account, 150, 'CREDIT_CARD');
  expect(await readAvailable(account)).toBe(150);
  const second = await confirm(account, 300, 'UNDEFINED');
  expect(await readAvailable(account)).toBe(200);
  expect(await read(account, first.id)).toMatchObject({ retainedAmount: 0, retainedUntil: null });
  expect(await read(account, second.id)).toMatchObject({
    status: 'CONFIRMED',
    retainedAmount: 250,
    retainedUntil: expect.any(String),
  });
  fixture.asaas.pay(second.paymentId);
  await fixture.deliver();
  expect(await readAvailable(account)).toBe(450);
  expect(await read(account, second.id)).toMatchObject({ status: 'RECEIVED', retainedAmount: 0 });
  expect(await readStatement(account)).toMatchObject([{ amount: 150 }, { amount: 50 }, { amount: 250 }]);
});

test('CHARGE-28 what is retained is credited after 30 days, and the event is sent once', async () => {
  const account = await accountOfAge(29);
  const charge = await confirm(account, 500, 'CREDIT_CARD');
  fixture.platform.clock.advance(29 * day);
  await runDueChecks(fixture.platform);
  expect(await readAvailable(account)).toBe(200);
  fixture.platform.clock.advance(day + 60);
  await runDueChecks(fixture.platform);
  expect(await readAvailable(account)).toBe(500);
  expect(await retainedOf(charge.id)).toBe(0);
  const events = await fixture.platform.database.query(
    "select from recorded_events where account_id = $1 and type = 'charge-paid'",
    [account.id],
  );
  expect(events).toHaveLength(1);
});

test('CHARGE-28 other methods and older accounts are credited at once', async () => {
  const young = await accountOfAge(1);
  const charge = await create(fixture.platform, young, { amount: 1_000, paymentMethod: 'PIX' });
  fixture.asaas.pay(charge.paymentId);
  await fixture.deliver();
  expect(await readAvailable(young)).toBe(1_000);
  const old = await accountOfAge(31);
  await confirm(old, 1_000, 'CREDIT_CARD');
  expect(await readAvailable(old)).toBe(1_000);
});

test('CHARGE-28 a refund or chargeback takes back what was credited, and nothing is released later', async () => {
  const account = await accountOfAge(1);
  const charge = await confirm(account, 500, 'CREDIT_CARD');
  fixture.asaas.chargeback(charge.paymentId);
  await fixture.deliver();
  expect(await readAvailable(account)).toBe(0);
  fixture.platform.clock.advance(31 * day);
  await runDueChecks(fixture.platform);
  expect(await readAvailable(account)).toBe(0);
  expect(await retainedOf(charge.id)).toBe(0);
  const audit = 'select d.* from audit_ledger($1) d';
  expect(await fixture.platform.database.query(audit, [account.id])).toEqual([]);
});

test('CALL-58 a chargeback suspends outbound calls until the operator lifts it', async () => {
  const { platform } = fixture;
  const account = await accountOfAge(1);
  const { client } = account.admin;
  await addDeck(platform, [{ prefix: '55', price: 1 }]);
  const { id, ramal } = (await client.post('/extensions/next-available', nextBody())).body;
  await markRegistered(platform, id);
  const call = async () => {
    platform.clock.advance(1);
    const placed = await client.post('/calls', { called: '5511987654321', extension: ramal, metadata: {} });
    return [placed.status, placed.body.error?.errorCode];
  };
  const charge = await confirm(account, 100, 'CREDIT_CARD');
  expect(await call()).toEqual([200, undefined]);
  fixture.asaas.chargeback(charge.paymentId);
  await fixture.deliver();
  // Also with other credit.
  await giveCredit(platform, account.id, 300);
  expect(await call()).toEqual([403, 'CALLING_SUSPENDED']);
  const [row] = await fixture.platform.database.query<{ suspended_reason: string }>(
    'select suspended_reason from account_caps where account_id = $1',
    [account.id],
  );
  expect(row?.suspended_reason).toBe(`The payment of charge ${charge.id} was charged back.`);
  const shown = await runOperator(fixture.platform, ['account', 'review', String(account.id)]);
  expect(shown.out).toContain('was charged back');
  const lifted = await runOperator(fixture.platform, ['account', 'review', String(account.id), '--lift']);
  expect(lifted.out).toContain('are allowed again');
  const after = await runOperator(fixture.platform, ['account', 'review', String(account.id)]);
  expect(after.out).toContain('not suspended');
  expect(await call()).toEqual([200, undefined]);
});
