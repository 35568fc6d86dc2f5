import type { GatewayPayment, PaymentRequest } from '../../../contexts/charges/index.ts';
import { microsFromReais, reaisFromMicros } from '../../../platform/money.ts';
import type { AsaasPayment, AsaasStatus } from './schemas.ts';

type ChargeStatus = GatewayPayment['status'];

const microsPerCentavo = 10_000;

/** Our status for each gateway status. PAID becomes CONFIRMED or RECEIVED, depending on the payment's dates. */
const meanings: Record<AsaasStatus, ChargeStatus | 'PAID'> = {
  PENDING: 'PENDING',
  // A card was submitted but not charged yet.
  AWAITING_RISK_ANALYSIS: 'PENDING',
  AUTHORIZED: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  RECEIVED: 'RECEIVED',
  // The operator recorded money received outside the gateway.
  RECEIVED_IN_CASH: 'RECEIVED',
  OVERDUE: 'OVERDUE',
  // A debt collector is involved; the payment can still be paid, possibly through the collector.
  DUNNING_REQUESTED: 'OVERDUE',
  DUNNING_RECEIVED: 'RECEIVED',
  // A refund that is requested or in progress can still be denied; until it is completed the payment counts as paid.
  REFUND_REQUESTED: 'PAID',
  REFUND_IN_PROGRESS: 'PAID',
  REFUNDED: 'REFUNDED',
  // The card issuer holds the money from the chargeback request on, even during a dispute and after we win it. Once the
  // money is returned, the gateway reports CONFIRMED or RECEIVED again.
  CHARGEBACK_REQUESTED: 'CHARGEBACK',
  CHARGEBACK_DISPUTE: 'CHARGEBACK',
  AWAITING_CHARGEBACK_REVERSAL: 'CHARGEBACK',
};

export function statusOf(payment: AsaasPayment): ChargeStatus {
  const meaning = meanings[payment.status];
  const status = meaning === 'PAID' ? (payment.paymentDate ? 'RECEIVED' : 'CONFIRMED') : meaning;
  // A payment received after its deletion still counts.
  if (isOpen(status)) return payment.deleted ? 'CANCELED' : status;
  // A lost chargeback may end as a refund; we keep CHARGEBACK.
  if (status === 'REFUNDED' && payment.chargeback && payment.chargeback.status !== 'REVERSED') {
    return 'CHARGEBACK';
  }
  if (status !== 'CHARGEBACK' && refundedByParts(payment) >= microsFromReais(payment.value))
    return 'REFUNDED';
  return status;
}

/** Returns whether a payment can still be paid; the gateway deletes only such payments. */
export const isOpen = (status: ChargeStatus): boolean => status === 'PENDING' || status === 'OVERDUE';

export function presentPayment(payment: AsaasPayment, code: string | null): GatewayPayment {
  const status = statusOf(payment);
  const totalMicros = totalOf(payment);
  const paidDate = payment.clientPaymentDate ?? payment.confirmedDate ?? payment.paymentDate;
  // For confirmed card payments, `creditDate` is set weeks before the money arrives.
  const receivedDate = payment.paymentDate && (payment.creditDate ?? payment.paymentDate);
  return {
    id: payment.id,
    reference: payment.externalReference ?? '',
    status,
    method: methodOf(payment),
    totalMicros,
    refundedMicros: status === 'REFUNDED' ? totalMicros : Math.min(refundedByParts(payment), totalMicros),
    link: payment.invoiceUrl,
    code,
    invoiceId: payment.invoiceNumber,
    invoiceLink: payment.transactionReceiptUrl ?? payment.bankSlipUrl ?? payment.invoiceUrl,
    paidAt: paidDate === null ? null : instantOf(paidDate),
    receivedAt: receivedDate === null ? null : instantOf(receivedDate),
    refundedAt: status === 'REFUNDED' ? lastRefund(payment) : null,
  };
}

/**
 * Returns the amount requested and received. Late-payment fines and interest raise `value` above the requested amount
 * and are not credited to the payer; a lower value is returned unchanged.
 */
const totalOf = (payment: AsaasPayment): number =>
  microsFromReais(Math.min(payment.value, payment.originalValue ?? payment.value));

/** Chooses among the payments of one reference, of which there should be one: prefers a paid one, then an open one. */
export function chosenAmong(payments: AsaasPayment[]): AsaasPayment | undefined {
  const rank = (payment: AsaasPayment) => {
    const status = statusOf(payment);
    return status === 'CANCELED' ? 2 : isOpen(status) ? 1 : 0;
  };
  return payments.toSorted((one, other) => rank(one) - rank(other) || (one.id < other.id ? -1 : 1))[0];
}

/**
 * Returns the billing type for requests. The gateway returns DEBIT_CARD but does not accept it: the payer chooses it on
 * the payment page.
 */
export const billingTypeOf = (method: PaymentRequest['method']) =>
  method === 'DEBIT_CARD' ? 'UNDEFINED' : method;

/** Returns the method of a payment. The gateway changes UNDEFINED to what the payer chose. */
const methodOf = ({ billingType }: AsaasPayment): GatewayPayment['method'] =>
  knownMethods.find((method) => method === billingType) ?? 'UNDEFINED';

const knownMethods = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'BOLETO',
  'PIX',
] as const satisfies GatewayPayment['method'][];

/** Returns whether the payment can have a bank slip. */
export const mayHaveBankSlip = (payment: AsaasPayment): boolean =>
  payment.billingType === 'BOLETO' || payment.billingType === 'UNDEFINED';

/**
 * Converts to reais, exactly for whole centavos: division yields the double nearest to the decimal, and JSON prints
 * that decimal.
 */
export function reaisOf(totalMicros: number): number {
  if (!Number.isSafeInteger(totalMicros) || totalMicros % microsPerCentavo !== 0) {
    throw new RangeError(`${totalMicros} micros are not whole centavos`);
  }
  return reaisFromMicros(totalMicros);
}

/** Parses `2026-08-01` or `2026-08-01 23:59:59` in Sao Paulo time, which has had no daylight saving time since 2019. */
export function instantOf(text: string): Date {
  const [date = '', time = '00:00:00'] = text.split(/[ T]/, 2);
  return new Date(`${date}T${time}-03:00`);
}

const doneRefunds = (payment: AsaasPayment) => payment.refunds.filter((refund) => refund.status === 'DONE');

const refundedByParts = (payment: AsaasPayment): number =>
  doneRefunds(payment).reduce((sum, refund) => sum + microsFromReais(refund.value), 0);

function lastRefund(payment: AsaasPayment): Date | null {
  const times = doneRefunds(payment).map((refund) => instantOf(refund.dateCreated).getTime());
  return times.length === 0 ? null : new Date(Math.max(...times));
}
