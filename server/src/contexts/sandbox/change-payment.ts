import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import type { JobQueue } from '../../platform/jobs.ts';
import type { Clock } from '../../platform/time.ts';
import { afterChange, type Change } from './payment.rules.ts';
import { lockPayment, savePayment } from './payment.store.ts';
import type { PayerChoice, Payment } from './payment.ts';
import { type NotifyJob, notifyQueue, type Reporting } from './report-payment.ts';

export interface ChangePaymentDeps {
  db: Database;
  clock: Clock;
  jobs: JobQueue;
}

export interface ChangeOptions {
  choice?: PayerChoice | undefined;
  reporting?: Partial<Reporting> | undefined;
}

/**
 * Changes a payment and enqueues its notification in one transaction. An impossible change leaves the payment
 * unchanged. Returns the payment afterwards, or undefined if it does not exist.
 */
export async function changePayment(
  deps: ChangePaymentDeps,
  paymentId: string,
  change: Change,
  { choice, reporting = {} }: ChangeOptions = {},
): Promise<Payment | undefined> {
  return await inTransaction(deps.db, async (tx) => {
    const before = await lockPayment(tx, paymentId);
    const after = before && afterChange(before, change, deps.clock.now(), choice);
    if (!after) return before;
    // To be sent out of order, all events must exist before the first is sent.
    const settled = reporting.shuffled && afterChange(after, 'settle', deps.clock.now());
    const states = settled ? [after, settled] : [after];
    const final = settled || after;
    await savePayment(tx, final);
    if (change !== 'refuse') await queueReport(deps, tx, states, { ...promptly, ...reporting });
    return final;
  });
}

const promptly: Reporting = { notifications: 1, delaySeconds: 0, shuffled: false };

async function queueReport(
  deps: ChangePaymentDeps,
  tx: Tx,
  states: Payment[],
  reporting: Reporting,
): Promise<void> {
  const [{ id } = { id: '' }] = states;
  const events = states.flatMap(({ status }) => {
    const event = { id: `evt_${randomUUID()}`, event: `PAYMENT_${status}`, payment: { id } };
    return Array<typeof event>(reporting.notifications).fill(event);
  });
  const job: NotifyJob = {
    paymentId: id,
    events: reporting.shuffled ? events.toReversed() : events,
    reporting,
  };
  await deps.jobs.enqueue(tx, notifyQueue.name, job, { startAfterSeconds: reporting.delaySeconds });
}
