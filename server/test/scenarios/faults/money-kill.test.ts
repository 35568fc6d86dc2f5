import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFaultFixture, startMoneyFaultFixture } from '../../harness/fixtures/money-faults.ts';
import type { Operation, TargetAccount } from './money-operations.ts';
import type { KilledOperation } from './money-process.ts';

let fixture: MoneyFaultFixture;

beforeAll(async () => {
  fixture = await startMoneyFaultFixture();
});
afterAll(() => fixture.stop());

/** Long enough for a dead process to be detected and its work to be taken over. */
const givenUpSeconds = 31;

interface Money {
  charges: number;
  openWithoutPayment: number;
  available: number;
  held: number;
  moved: Record<string, number | undefined>;
  events: Record<string, number>;
}

/** Returns the state of each account, in whole reais. */
async function readMoney(accountIds: number[]): Promise<Map<number, Money>> {
  const rows = await fixture.platform.database.query<{ id: string; money: Money }>(
    `select a.id, jsonb_build_object(
       'charges', (select count(*) from charges where account_id = a.id),
       'openWithoutPayment', (select count(*) from charges where account_id = a.id and payment_id is null),
       'available', coalesce(b.available_micros, 0) / 1000000.0,
       'held', coalesce(b.held_micros, 0) / 1000000.0,
       'moved', coalesce((select jsonb_object_agg(kind, times) from (
          select kind, count(*) as times from ledger_transactions where account_id = a.id group by kind) kinds), '{}'),
       'events', coalesce((select jsonb_object_agg(type, times) from (
          select type, count(*) as times from recorded_events where account_id = a.id group by type) types), '{}')) as money
       from accounts a left join ledger_balances b on b.account_id = a.id and b.book = 'live'
      where a.id = any($1)`,
    [accountIds],
  );
  return new Map(rows.map(({ id, money }) => [Number(id), money]));
}

const auditAccounts = (accountIds: number[]): Promise<object[]> =>
  fixture.platform.database.query(
    'select a.id, d.* from accounts a, audit_ledger(a.id) d where a.id = any($1)',
    [accountIds],
  );

/** Returns the gateway's payments for the accounts' charges. */
async function listPayments(
  targets: TargetAccount[],
): Promise<Map<number, { id: string; deleted: boolean }[]>> {
  const rows = await fixture.platform.database.query<{ account_id: string; reference: string }>(
    'select account_id, reference from charges where account_id = any($1)',
    [targets.map(({ accountId }) => accountId)],
  );
  const accounts = new Map(rows.map(({ account_id, reference }) => [reference, Number(account_id)]));
  return Map.groupBy(
    fixture.asaas.payments().filter(({ externalReference }) => accounts.has(externalReference ?? '')),
    ({ externalReference }) => accounts.get(externalReference ?? '') ?? 0,
  );
}

async function expectEach(
  killed: KilledOperation[],
  expected: (money: Money, each: KilledOperation) => Partial<Money>,
): Promise<void> {
  const ids = killed.map(({ target }) => target.accountId);
  const moneyByAccount = await readMoney(ids);
  for (const each of killed) {
    const money = moneyByAccount.get(each.target.accountId);
    const where = `${each.operation} killed ${each.moment} boundary ${each.stopAt}`;
    expect(money, where).toMatchObject(money ? expected(money, each) : {});
  }
  expect(await auditAccounts(ids)).toEqual([]);
}

const halves = (killed: KilledOperation[]) =>
  [0, 1].map((half) => killed.filter((_, index) => index % 2 === half).map(({ target }) => target));

test('every statement and every request of an operation is a boundary', async () => {
  const expected: [Operation, string[]][] = [
    [
      'create',
      ['begin', 'insert into "charges"', 'POST /v3/payments', 'update "idempotency_keys"', 'commit'],
    ],
    ['cancel', ['DELETE /v3/payments', 'update "charges"', 'commit']],
    ['report', ['begin', 'INSERT INTO pgboss.job', 'commit']],
    ['confirm', ['pgboss.job', 'GET /v3/payments', 'ledger_post', 'select record_event(', 'commit']],
    ['refund', ['pgboss.job', 'GET /v3/payments', 'ledger_post', 'select record_event(', 'commit']],
    ['hold', ['begin', 'hold_for_call', 'commit']],
    ['renew', ['begin', 'ledger_post', 'update call_holds', 'commit']],
    ['settle', ['begin', 'settle_hold', 'commit']],
  ];
  for (const [operation, parts] of expected) {
    const boundaries = await fixture.boundaries(operation);
    for (const part of parts) expect(boundaries).toContainEqual(expect.stringContaining(part));
  }
});

test('creates a charge once, wherever its creation is killed, by the retry or by the check', async () => {
  const killed = await fixture.killEverywhere('create', 2);
  const [retried = [], waiting = []] = halves(killed);
  fixture.platform.clock.advance(givenUpSeconds);
  await fixture.repeat('create', retried);
  await fixture.recover();
  await expectEach(killed, ({ charges }) => ({ charges, openWithoutPayment: 0, available: 0 }));
  await fixture.repeat('create', waiting);
  await expectEach(killed, () => ({ charges: 1, openWithoutPayment: 0 }));

  const targets = killed.map(({ target }) => target);
  const payments = await listPayments(targets);
  for (const { accountId } of targets) expect(payments.get(accountId)).toHaveLength(1);
  for (const [payment] of payments.values()) fixture.asaas.pay(payment?.id ?? '');
  await fixture.deliver({ duplicate: 0.5, shuffle: true });
  await expectEach(killed, () => ({
    charges: 1,
    available: 50,
    moved: { charge: 1 },
    events: { 'charge-paid': 1 },
  }));
});

test('a charge ends in the gateway’s state, wherever its cancellation is killed', async () => {
  const killed = await fixture.killEverywhere('cancel', 2);
  const [retried = [], waiting = []] = halves(killed);
  await fixture.repeat('cancel', retried);
  fixture.platform.clock.advance(120);
  await fixture.recover();
  const payments = await listPayments(killed.map(({ target }) => target));
  for (const { accountId } of retried) expect(payments.get(accountId)).toMatchObject([{ deleted: true }]);
  const statuses = await fixture.platform.database.query<{ account_id: string; status: string }>(
    'select account_id, status from charges where account_id = any($1)',
    [[...payments.keys()]],
  );
  for (const { account_id, status } of statuses) {
    const [payment] = payments.get(Number(account_id)) ?? [];
    expect(status).toBe(payment?.deleted ? 'CANCELED' : 'PENDING');
  }
  await fixture.repeat('cancel', waiting);
  await expectEach(killed, () => ({ charges: 1, available: 0 }));
});

test('credits a payment once, wherever the notification handler is killed', async () => {
  const killed = await fixture.killEverywhere('report', 1);
  // The gateway received no 200 and sends the notification again.
  await fixture.repeat(
    'report',
    killed.map(({ target }) => target),
  );
  await fixture.recover();
  await expectEach(killed, () => ({ available: 50, moved: { charge: 1 }, events: { 'charge-paid': 1 } }));
});

test('credits a payment once, wherever the crediting is killed', async () => {
  const killed = await fixture.killEverywhere('confirm', 1);
  await fixture.recover();
  await expectEach(killed, () => ({ available: 50, moved: { charge: 1 }, events: { 'charge-paid': 1 } }));
});

test('reverses and reports a refund once, wherever it is killed', async () => {
  const killed = await fixture.killEverywhere('refund', 1);
  await fixture.recover();
  await expectEach(killed, () => ({
    available: 0,
    moved: { charge: 1, refund: 1 },
    events: { 'charge-paid': 1, 'balance-low': 1 },
  }));
});

test('a hold is made once when repeated, and released when not, wherever it is killed', async () => {
  const killed = await fixture.killEverywhere('hold', 2);
  const [retried = [], waiting = []] = halves(killed);
  const isRetried = ({ target }: KilledOperation) => retried.includes(target);
  await fixture.repeat('hold', retried);
  await expectEach(killed.filter(isRetried), () => ({ available: 9.7, held: 0.3, moved: { hold: 1 } }));
  await fixture.repeat('settle', retried);
  fixture.platform.clock.advance(361);
  await fixture.recover();
  await expectEach(killed, (_, each) =>
    isRetried(each) ? { available: 9.79, held: 0, moved: { hold: 1, call: 1 } } : { available: 10, held: 0 },
  );
  expect(waiting).not.toHaveLength(0);
});

test('a renewal funds the call once, wherever it is killed', async () => {
  const killed = await fixture.killEverywhere('renew', 1);
  await fixture.repeat(
    'renew',
    killed.map(({ target }) => target),
  );
  await expectEach(killed, () => ({ available: 9.55, held: 0.45, moved: { hold: 2 } }));
  await fixture.repeat(
    'settle',
    killed.map(({ target }) => target),
  );
  await expectEach(killed, () => ({ available: 9.79, held: 0, moved: { call: 1 } }));
});

test('charges a call once, wherever its settlement is killed, and never also releases the hold in full', async () => {
  const killed = await fixture.killEverywhere('settle', 2);
  const [retried = []] = halves(killed);
  await fixture.repeat('settle', retried);
  fixture.platform.clock.advance(361);
  await fixture.recover();
  await expectEach(killed, ({ moved }, { target }) =>
    retried.includes(target) || moved.call
      ? { available: 9.79, held: 0, moved: { hold: 1, call: 1 } }
      : { available: 10, held: 0, moved: { hold: 1, release: 1 } },
  );
});
