import type { Tx } from '../../platform/db/database.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import { recordEvent } from '../../platform/outbox.ts';
import { creditCharge, type LowBalanceDeps, takeBackCharge } from '../billing/index.ts';
import { afterReport, creditDue, isGivenBack, isPaid, nextCheck } from './charge.rules.ts';
import { saveCharge } from './charge.store.ts';
import { type Charge, totalMicros } from './charge.ts';
import type { GatewayPayment } from './gateway.ts';

/**
 * Brings a locked charge in line with what its gateway says now, and moves the money that this implies, in one
 * transaction. A payment of another amount than the charge's is nobody's credit and changes nothing.
 */
export async function applyPayment(
  tx: Tx,
  deps: LowBalanceDeps,
  charge: Charge,
  payment: GatewayPayment,
  at: Date,
): Promise<Charge> {
  const matches = payment.reference === charge.reference && payment.totalMicros === totalMicros(charge);
  const status = matches ? afterReport(charge.status, payment.status) : charge.status;
  const reported: Charge = {
    ...charge,
    paymentId: payment.id,
    paymentLink: payment.link,
    // A gateway stops telling the slip's line once it is paid; what was told once stays.
    paymentCode: payment.code ?? charge.paymentCode,
    invoiceId: payment.invoiceId ?? charge.invoiceId,
    invoiceLink: payment.invoiceLink ?? charge.invoiceLink,
    status,
    statusUpdatedAt: status === charge.status ? charge.statusUpdatedAt : at,
    paidAt: charge.paidAt ?? (isPaid(status) ? notBefore(charge.createdAt, payment.paidAt ?? at) : null),
    receivedAt:
      charge.receivedAt ??
      (status === 'RECEIVED' ? notBefore(charge.createdAt, payment.receivedAt ?? at) : null),
    refundedAt: charge.refundedAt ?? (isGivenBack(status) ? (payment.refundedAt ?? at) : null),
  };
  const moved = matches ? await moveCredit(tx, deps, reported, payment.refundedMicros, at) : reported;
  const after = { ...moved, nextCheckAt: nextCheck(moved, at) };
  await saveCharge(tx, after);
  return after;
}

/** Gateways tell whole days: the day's beginning may be before the charge was made. */
const notBefore = (earliest: Date, told: Date): Date => (told < earliest ? earliest : told);

/** Moves the difference between what the charge credits now and what it is due to. */
async function moveCredit(
  tx: Tx,
  deps: LowBalanceDeps,
  charge: Charge,
  refundedMicros: number,
  at: Date,
): Promise<Charge> {
  const due = creditDue(charge.status, charge, refundedMicros);
  const amountMicros = due.amountMicros - charge.creditedMicros;
  const feeMicros = due.feeMicros - charge.creditedFeeMicros;
  if (amountMicros === 0 && feeMicros === 0) return charge;
  const { accountId, book, id: chargeId, movements: time } = charge;
  if (amountMicros > 0) {
    await creditCharge(tx, { accountId, book, chargeId, amountMicros, feeMicros, at, time });
    await tellPaid(tx, charge, at);
  } else {
    const back = { accountId, book, chargeId, amountMicros: -amountMicros, feeMicros: -feeMicros, at, time };
    await takeBackCharge(tx, deps, back, charge.status === 'CHARGEBACK' ? 'chargeback' : 'refund');
  }
  return {
    ...charge,
    creditedMicros: due.amountMicros,
    creditedFeeMicros: due.feeMicros,
    movements: time + 1,
  };
}

async function tellPaid(tx: Tx, charge: Charge, at: Date): Promise<void> {
  await recordEvent(tx, {
    accountId: charge.accountId,
    type: 'charge-paid',
    subjectId: String(charge.id),
    data: {
      id: charge.id,
      amount: reaisFromMicros(charge.amountMicros),
      paymentMethod: charge.paymentMethod,
    },
    occurredAt: at,
  });
}
