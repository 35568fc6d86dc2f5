import type { Tx } from '../../platform/db/database.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import { recordEvent } from '../../platform/outbox.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { creditCharge, type LowBalanceDeps, takeBackCharge } from '../billing/index.ts';
import { afterReport, creditDue, isGivenBack, isPaid, nextCheck, retentionOf } from './charge.rules.ts';
import { findCardPayments, saveCharge } from './charge.store.ts';
import { type Charge, totalMicros } from './charge.ts';
import { cardMethods, type GatewayPayment, type PaymentMethod } from './gateway.ts';

export interface PaymentDeps extends LowBalanceDeps {
  log: Logger;
  /** Refuses further outbound calls of the account until the operator has looked at it. */
  suspendCalling(tx: Tx, suspension: { accountId: number; reason: string; at: Date }): Promise<void>;
}

/**
 * Updates a locked charge to its payment's current state at the gateway, and posts the resulting credit, in one
 * transaction. A payment whose amount differs from the charge is not credited; it is logged for the operator.
 */
export async function applyPayment(
  tx: Tx,
  deps: PaymentDeps,
  charge: Charge,
  payment: GatewayPayment,
  at: Date,
): Promise<Charge> {
  if (payment.reference !== charge.reference) {
    throw new Error(`Payment ${payment.id} does not belong to charge ${charge.id}.`);
  }
  const isMoney = isPaid(payment.status) || isGivenBack(payment.status);
  if (isMoney && payment.totalMicros !== totalMicros(charge)) {
    const { id, totalMicros: paidMicros } = payment;
    deps.log.error(
      { charge: charge.id, paymentId: id, paidMicros, expectedMicros: totalMicros(charge) },
      'payment amount differs from its charge; not credited',
    );
    return await keep(tx, charge, at);
  }
  if (isPaid(charge.status) && !isMoney) {
    // For example, cash was recorded as received by mistake. The operator has to correct it.
    deps.log.error(
      { charge: charge.id, paymentId: payment.id, status: payment.status },
      'credited payment is no longer paid; refund it at the gateway or adjust the credit',
    );
    return await keep(tx, charge, at);
  }
  const before =
    isGivenBack(payment.status) && !isPaid(charge.status) && !isGivenBack(charge.status)
      ? await follow(tx, deps, charge, asItWasPaid(payment), { refundedMicros: 0, at })
      : charge;
  const { refundedMicros } = payment;
  return await keep(tx, await follow(tx, deps, before, payment, { refundedMicros, at }), at);
}

/** Changes the charge as its payment reports, posts the credit, and acts on what is new. */
async function follow(
  tx: Tx,
  deps: PaymentDeps,
  before: Charge,
  payment: GatewayPayment,
  { refundedMicros, at }: { refundedMicros: number; at: Date },
): Promise<Charge> {
  const reported = await retain(tx, before, afterPayment(before, payment, at), at);
  const after = await moveCredit(tx, deps, reported, refundedMicros, at);
  if (isPaid(after.status) && !isPaid(before.status)) await recordChargePaid(tx, after, at);
  if (after.status === 'CHARGEBACK' && before.status !== 'CHARGEBACK') {
    const reason = `The payment of charge ${after.id} was charged back.`;
    await deps.suspendCalling(tx, { accountId: after.accountId, reason, at });
  }
  return after;
}

/**
 * Retains a part of a card payment of a new account when it is confirmed, and releases it when the money has arrived or
 * the time is over.
 */
async function retain(tx: Tx, before: Charge, charge: Charge, at: Date): Promise<Charge> {
  if (charge.retainedUntil) {
    const isRetained = charge.status === 'CONFIRMED' && at < charge.retainedUntil;
    return isRetained ? charge : { ...charge, retainedMicros: 0 };
  }
  const { status, paidWith, paidAt, book } = charge;
  const isNewCard =
    status === 'CONFIRMED' && !isPaid(before.status) && before.movements === 0 && isCard(paidWith);
  if (!isNewCard || book !== 'live' || !paidAt) return charge;
  return { ...charge, ...retentionOf({ ...charge, paidAt }, await findCardPayments(tx, charge)) };
}

const isCard = (method: PaymentMethod | null): boolean => cardMethods.some((card) => card === method);

async function keep(tx: Tx, charge: Charge, at: Date): Promise<Charge> {
  const next = nextCheck(charge, at);
  const { retainedMicros, retainedUntil } = charge;
  const isReleasedFirst =
    retainedMicros > 0 && retainedUntil !== null && (next === null || retainedUntil < next);
  const kept = { ...charge, nextCheckAt: isReleasedFirst ? retainedUntil : next };
  await saveCharge(tx, kept);
  return kept;
}

/**
 * Returns the payment before its refund. A payment that was paid and refunded between two reads is credited first, so
 * that the statement shows both.
 */
const asItWasPaid = (payment: GatewayPayment): GatewayPayment => ({
  ...payment,
  status: payment.receivedAt ? 'RECEIVED' : 'CONFIRMED',
});

function afterPayment(charge: Charge, payment: GatewayPayment, at: Date): Charge {
  const status = afterReport(charge.status, payment.status);
  const refundedAt = charge.refundedAt ?? payment.refundedAt ?? at;
  return {
    ...charge,
    paymentId: payment.id,
    paymentLink: payment.link,
    // Keeps the known bank slip line: gateways stop returning it once the slip is paid.
    paymentCode: payment.code ?? charge.paymentCode,
    invoiceId: payment.invoiceId ?? charge.invoiceId,
    invoiceLink: payment.invoiceLink ?? charge.invoiceLink,
    status,
    paidWith: isPaid(status) ? (charge.paidWith ?? payment.method) : charge.paidWith,
    statusUpdatedAt: status === charge.status ? charge.statusUpdatedAt : at,
    paidAt: charge.paidAt ?? (isPaid(status) ? notBefore(charge.createdAt, payment.paidAt ?? at) : null),
    receivedAt:
      charge.receivedAt ??
      (status === 'RECEIVED' ? notBefore(charge.createdAt, payment.receivedAt ?? at) : null),
    // After a won chargeback, nothing is refunded.
    refundedAt: isGivenBack(status) ? refundedAt : null,
  };
}

/** Gateways report whole days, whose start may precede the charge. */
const notBefore = (earliest: Date, reported: Date): Date => (reported < earliest ? earliest : reported);

/** Posts the difference between the credited amount and the amount due. */
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
  if (amountMicros + feeMicros > 0) {
    await creditCharge(tx, { accountId, book, chargeId, amountMicros, feeMicros, at, time });
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

async function recordChargePaid(tx: Tx, charge: Charge, at: Date): Promise<void> {
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
