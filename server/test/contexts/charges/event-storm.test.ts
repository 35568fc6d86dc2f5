import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FakeEvent } from '../../../../simulator/asaas/index.ts';
import { receiveNotification } from '../../../src/contexts/charges/receive-notification.ts';
import { runSyncJobs, webhookToken } from '../../harness/fixtures/charges.ts';
import { type MoneyFaultFixture, startMoneyFaultFixture } from '../../harness/fixtures/money-faults.ts';
import type { TargetAccount } from '../../scenarios/faults/money-operations.ts';
import { generateStorm, heldCentavos } from './event-storm.ts';

let fixture: MoneyFaultFixture;
let payers: TargetAccount[];

beforeAll(async () => {
  fixture = await startMoneyFaultFixture();
  payers = await fixture.prepare('cancel', 400);
});
afterAll(() => fixture.stop());

const senders = 8;

async function arrive(events: FakeEvent[]): Promise<void> {
  const left = [...events];
  const headers = { 'asaas-access-token': webhookToken };
  const next = async () => {
    for (let event = left.pop(); event; event = left.pop()) {
      await receiveNotification(fixture.platform.api.app, 'asaas', headers, event);
    }
  };
  await Promise.all(Array.from({ length: senders }, next));
}

/** Returns the ledger totals per payment, in centavos: the customer's credit and the amount held at the gateway. */
async function sumLedger(accountIds: number[]): Promise<Map<string, { credit: number; held: number }>> {
  const rows = await fixture.platform.database.query<{ payment_id: string; credit: string; held: string }>(
    `select c.payment_id, sum(t.available_micros) / 10000 as credit, -sum(t.gateway_micros) / 10000 as held
       from charges c left join ledger_transactions t on t.account_id = c.account_id and t.book = 'live'
      where c.account_id = any($1) group by c.payment_id`,
    [accountIds],
  );
  return new Map(
    rows.map(({ payment_id, credit, held }) => [payment_id, { credit: Number(credit), held: Number(held) }]),
  );
}

test('CHARGE-19 after 10,000 duplicated, late, reordered or lost events the ledger matches the gateway', async () => {
  const { platform, asaas } = fixture;
  const storm = {
    paymentIds: payers.map(({ paymentId }) => paymentId),
    events: 10_000,
    rounds: 5,
    seed: 20_261_115,
  };
  for await (const events of generateStorm(asaas, storm)) {
    // Notifications arrive while others are being processed.
    await Promise.all([arrive(events), runSyncJobs(platform)]);
    await runSyncJobs(platform);
  }
  // Every payment is read again within days, notified or not.
  platform.clock.advance(8 * 86_400);
  await fixture.recover();

  const accountIds = payers.map(({ accountId }) => accountId);
  const ledger = await sumLedger(accountIds);
  const payments = asaas.payments().filter(({ id }) => ledger.has(id));
  expect(payments).toHaveLength(payers.length);
  for (const payment of payments) {
    const held = heldCentavos(payment);
    expect(ledger.get(payment.id), `${payment.id} is ${payment.status}`).toEqual({ credit: held, held });
  }
  const audit = 'select d.* from accounts a, audit_ledger(a.id) d where a.id = any($1)';
  expect(await platform.database.query(audit, [accountIds])).toEqual([]);
});
