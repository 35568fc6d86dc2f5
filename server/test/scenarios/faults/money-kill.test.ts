import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyScene, startMoney } from '../../harness/fixtures/money-faults.ts';
import type { Operation, Victim } from './money-operations.ts';
import type { Doomed } from './money-victim.ts';

let scene: MoneyScene;

beforeAll(async () => {
  scene = await startMoney();
});
afterAll(() => scene.stop());

/** Long enough that a dead process counts as dead and its work can be taken over. */
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
async function moneyOf(accountIds: number[]): Promise<Map<number, Money>> {
  const rows = await scene.platform.database.query<{ id: string; money: Money }>(
    `select a.id, jsonb_build_object(
       'charges', (select count(*) from charges where account_id = a.id),
       'openWithoutPayment', (select count(*) from charges where account_id = a.id and payment_id is null),
       'available', coalesce(b.available_micros, 0) / 1000000.0,
       'held', coalesce(b.held_micros, 0) / 1000000.0,
       'moved', coalesce((select jsonb_object_agg(kind, times) from (
          select kind, count(*) as times from ledger_transactions where account_id = a.id group by kind) kinds), '{}'),
       'events', coalesce((select jsonb_object_agg(type, times) from (
          select type, count(*) as times from events where account_id = a.id group by type) types), '{}')) as money
       from accounts a left join ledger_balances b on b.account_id = a.id and b.book = 'live'
      where a.id = any($1)`,
    [accountIds],
  );
  return new Map(rows.map(({ id, money }) => [Number(id), money]));
}

const auditOf = (accountIds: number[]): Promise<object[]> =>
  scene.platform.database.query(
    'select a.id, d.* from accounts a, audit_ledger(a.id) d where a.id = any($1)',
    [accountIds],
  );

/** Returns the gateway's payments for the accounts' charges. */
async function paymentsOf(victims: Victim[]): Promise<Map<number, { id: string; deleted: boolean }[]>> {
  const rows = await scene.platform.database.query<{ account_id: string; reference: string }>(
    'select account_id, reference from charges where account_id = any($1)',
    [victims.map(({ accountId }) => accountId)],
  );
  const accounts = new Map(rows.map(({ account_id, reference }) => [reference, Number(account_id)]));
  return Map.groupBy(
    scene.asaas.payments().filter(({ externalReference }) => accounts.has(externalReference ?? '')),
    ({ externalReference }) => accounts.get(externalReference ?? '') ?? 0,
  );
}

async function expectEach(
  doomed: Doomed[],
  expected: (money: Money, each: Doomed) => Partial<Money>,
): Promise<void> {
  const ids = doomed.map(({ victim }) => victim.accountId);
  const found = await moneyOf(ids);
  for (const each of doomed) {
    const money = found.get(each.victim.accountId);
    const where = `${each.operation} killed ${each.moment} boundary ${each.stopAt}`;
    expect(money, where).toMatchObject(money ? expected(money, each) : {});
  }
  expect(await auditOf(ids)).toEqual([]);
}

const halves = (doomed: Doomed[]) =>
  [0, 1].map((half) => doomed.filter((_, index) => index % 2 === half).map(({ victim }) => victim));

test('every statement and every request of an operation is a boundary', async () => {
  const expected: [Operation, string[]][] = [
    [
      'create',
      ['begin', 'insert into "charges"', 'POST /v3/payments', 'update "idempotency_keys"', 'commit'],
    ],
    ['cancel', ['DELETE /v3/payments', 'update "charges"', 'commit']],
    ['report', ['begin', 'INSERT INTO pgboss.job', 'commit']],
    ['confirm', ['pgboss.job', 'GET /v3/payments', 'ledger_post', 'insert into "events"', 'commit']],
    ['refund', ['pgboss.job', 'GET /v3/payments', 'ledger_post', 'insert into "events"', 'commit']],
    ['hold', ['begin', 'ledger_post', 'insert into call_holds', 'commit']],
    ['renew', ['begin', 'ledger_post', 'update call_holds', 'commit']],
    ['settle', ['begin', 'ledger_post', 'update call_holds', 'commit']],
  ];
  for (const [operation, parts] of expected) {
    const boundaries = await scene.boundaries(operation);
    for (const part of parts) expect(boundaries).toContainEqual(expect.stringContaining(part));
  }
}, 90_000);

test('creates a charge once, wherever its creation is killed, by the retry or by the check', async () => {
  const doomed = await scene.killEverywhere('create', 2);
  const [impatient = [], patient = []] = halves(doomed);
  scene.platform.clock.advance(givenUpSeconds);
  await scene.repeat('create', impatient);
  await scene.recover();
  await expectEach(doomed, ({ charges }) => ({ charges, openWithoutPayment: 0, available: 0 }));
  await scene.repeat('create', patient);
  await expectEach(doomed, () => ({ charges: 1, openWithoutPayment: 0 }));

  const victims = doomed.map(({ victim }) => victim);
  const payments = await paymentsOf(victims);
  for (const { accountId } of victims) expect(payments.get(accountId)).toHaveLength(1);
  for (const [payment] of payments.values()) scene.asaas.pay(payment?.id ?? '');
  await scene.deliver({ duplicate: 0.5, shuffle: true });
  await expectEach(doomed, () => ({
    charges: 1,
    available: 50,
    moved: { charge: 1 },
    events: { 'charge-paid': 1 },
  }));
}, 90_000);

test('a charge ends in the gateway’s state, wherever its cancellation is killed', async () => {
  const doomed = await scene.killEverywhere('cancel', 2);
  const [impatient = [], patient = []] = halves(doomed);
  await scene.repeat('cancel', impatient);
  scene.platform.clock.advance(120);
  await scene.recover();
  const payments = await paymentsOf(doomed.map(({ victim }) => victim));
  for (const { accountId } of impatient) expect(payments.get(accountId)).toMatchObject([{ deleted: true }]);
  const statuses = await scene.platform.database.query<{ account_id: string; status: string }>(
    'select account_id, status from charges where account_id = any($1)',
    [[...payments.keys()]],
  );
  for (const { account_id, status } of statuses) {
    const [payment] = payments.get(Number(account_id)) ?? [];
    expect(status).toBe(payment?.deleted ? 'CANCELED' : 'PENDING');
  }
  await scene.repeat('cancel', patient);
  await expectEach(doomed, () => ({ charges: 1, available: 0 }));
}, 90_000);

test('credits a payment once, wherever the notification handler is killed', async () => {
  const doomed = await scene.killEverywhere('report', 1);
  // The gateway got no 200 and sends the notification again.
  await scene.repeat(
    'report',
    doomed.map(({ victim }) => victim),
  );
  await scene.recover();
  await expectEach(doomed, () => ({ available: 50, moved: { charge: 1 }, events: { 'charge-paid': 1 } }));
}, 90_000);

test('credits a payment once, wherever the crediting is killed', async () => {
  const doomed = await scene.killEverywhere('confirm', 1);
  await scene.recover();
  await expectEach(doomed, () => ({ available: 50, moved: { charge: 1 }, events: { 'charge-paid': 1 } }));
}, 90_000);

test('reverses and reports a refund once, wherever it is killed', async () => {
  const doomed = await scene.killEverywhere('refund', 1);
  await scene.recover();
  await expectEach(doomed, () => ({
    available: 0,
    moved: { charge: 1, refund: 1 },
    events: { 'charge-paid': 1, 'balance-low': 1 },
  }));
}, 90_000);

test('a hold is made once when repeated, and released when not, wherever it is killed', async () => {
  const doomed = await scene.killEverywhere('hold', 2);
  const [impatient = [], patient = []] = halves(doomed);
  const isImpatient = ({ victim }: Doomed) => impatient.includes(victim);
  await scene.repeat('hold', impatient);
  await expectEach(doomed.filter(isImpatient), () => ({ available: 9.7, held: 0.3, moved: { hold: 1 } }));
  await scene.repeat('settle', impatient);
  scene.platform.clock.advance(361);
  await scene.recover();
  await expectEach(doomed, (_, each) =>
    isImpatient(each)
      ? { available: 9.79, held: 0, moved: { hold: 1, call: 1 } }
      : { available: 10, held: 0 },
  );
  expect(patient).not.toHaveLength(0);
}, 90_000);

test('a renewal funds the call once, wherever it is killed', async () => {
  const doomed = await scene.killEverywhere('renew', 1);
  await scene.repeat(
    'renew',
    doomed.map(({ victim }) => victim),
  );
  await expectEach(doomed, () => ({ available: 9.55, held: 0.45, moved: { hold: 2 } }));
  await scene.repeat(
    'settle',
    doomed.map(({ victim }) => victim),
  );
  await expectEach(doomed, () => ({ available: 9.79, held: 0, moved: { call: 1 } }));
}, 90_000);

test('charges a call once, wherever its settlement is killed, and never also releases the hold in full', async () => {
  const doomed = await scene.killEverywhere('settle', 2);
  const [impatient = []] = halves(doomed);
  await scene.repeat('settle', impatient);
  scene.platform.clock.advance(361);
  await scene.recover();
  await expectEach(doomed, ({ moved }, { victim }) =>
    impatient.includes(victim) || moved.call
      ? { available: 9.79, held: 0, moved: { hold: 1, call: 1 } }
      : { available: 10, held: 0, moved: { hold: 1, release: 1 } },
  );
}, 90_000);
