import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type ChangePaymentDeps, changePayment } from './change-payment.ts';
import { statusAt } from './payment.rules.ts';
import type { PaymentStatus } from './payment.ts';
import type { Reporting } from './report-payment.ts';

export interface ChangeChargeDeps extends ChangePaymentDeps {
  /** Returns the sandbox payment of an account's charge; undefined if the account has no such charge. */
  findPayment(tx: Tx, accountId: number, chargeId: number): Promise<string | undefined>;
}

/**
 * Pays or refunds the payment of a charge. Returns the payment's new state at the sandbox; the charge is updated by a
 * notification.
 */
export async function changeCharge(
  deps: ChangeChargeDeps,
  { accountId }: Caller,
  chargeId: number,
  change: 'pay' | 'refund',
  reporting: Partial<Reporting>,
): Promise<{ id: number; paymentId: string; status: PaymentStatus }> {
  const paymentId = await inAccount(deps.db, accountId, (tx) => deps.findPayment(tx, accountId, chargeId));
  const payment = paymentId && (await changePayment(deps, paymentId, change, { reporting }));
  if (!payment) throw notFound();
  return { id: chargeId, paymentId: payment.id, status: statusAt(payment, deps.clock.now()) };
}
