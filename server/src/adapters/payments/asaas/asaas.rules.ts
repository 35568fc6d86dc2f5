import type { GatewayPayment, PaymentRequest } from '../../../contexts/charges/index.ts';
import { microsFromReais, reaisFromMicros } from '../../../platform/money.ts';
import type { AsaasPayment, AsaasStatus } from './schemas.ts';

type ChargeStatus = GatewayPayment['status'];

const microsPerCentavo = 10_000;

/** What each status means to us; PAID is CONFIRMED or RECEIVED, as the payment's dates say. */
const meanings: Record<AsaasStatus, ChargeStatus | 'PAID'> = {
  PENDING: 'PENDING',
  // A card was offered, but nothing was taken from it yet.
  AWAITING_RISK_ANALYSIS: 'PENDING',
  AUTHORIZED: 'PENDING',
  CONFIRMED: 'CONFIRMED',
  RECEIVED: 'RECEIVED',
  // The operator noted money that came outside the gateway.
  RECEIVED_IN_CASH: 'RECEIVED',
  OVERDUE: 'OVERDUE',
  // A debt collector was asked; the payment can still be paid, and may be through the collector.
  DUNNING_REQUESTED: 'OVERDUE',
  DUNNING_RECEIVED: 'RECEIVED',
  // A refund that was asked for or is under way can still be denied; until it is done the money is here.
  REFUND_REQUESTED: 'PAID',
  REFUND_IN_PROGRESS: 'PAID',
  REFUNDED: 'REFUNDED',
  // The card's bank has the money from the request on, also while it is disputed and after a dispute was won. Once it
  // is back, the gateway says CONFIRMED or RECEIVED again.
  CHARGEBACK_REQUESTED: 'CHARGEBACK',
  CHARGEBACK_DISPUTE: 'CHARGEBACK',
  AWAITING_CHARGEBACK_REVERSAL: 'CHARGEBACK',
};

export function statusOf(payment: AsaasPayment): ChargeStatus {
  const meaning = meanings[payment.status];
  const status = meaning === 'PAID' ? (payment.paymentDate ? 'RECEIVED' : 'CONFIRMED') : meaning;
  // Money that came counts, also for a payment that was deleted before.
  if (isOpen(status)) return payment.deleted ? 'CANCELED' : status;
  // A lost chargeback may end as a refund; to us it stays what it was.
  if (status === 'REFUNDED' && payment.chargeback && payment.chargeback.status !== 'REVERSED') {
    return 'CHARGEBACK';
  }
  if (status !== 'CHARGEBACK' && refundedByParts(payment) >= microsFromReais(payment.value))
    return 'REFUNDED';
  return status;
}

/** The gateway deletes only what can still be paid. */
export const isOpen = (status: ChargeStatus): boolean => status === 'PENDING' || status === 'OVERDUE';

export function presentPayment(payment: AsaasPayment, code: string | null): GatewayPayment {
  const status = statusOf(payment);
  const totalMicros = totalOf(payment);
  const paidDate = payment.clientPaymentDate ?? payment.confirmedDate ?? payment.paymentDate;
  // The credit date of a confirmed card payment is announced weeks ahead.
  const receivedDate = payment.paymentDate && (payment.creditDate ?? payment.paymentDate);
  return {
    id: payment.id,
    reference: payment.externalReference ?? '',
    status,
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
 * What was asked for and came. A fine or interest for late payment raises the value above what was asked, and is not
 * the payer's credit; less than was asked stays visible as less.
 */
const totalOf = (payment: AsaasPayment): number =>
  microsFromReais(Math.min(payment.value, payment.originalValue ?? payment.value));

/** Several payments of one reference are an accident; the one that took money counts, then the one that still can. */
export function chosenAmong(payments: AsaasPayment[]): AsaasPayment | undefined {
  const rank = (payment: AsaasPayment) => {
    const status = statusOf(payment);
    return status === 'CANCELED' ? 2 : isOpen(status) ? 1 : 0;
  };
  return payments.toSorted((one, other) => rank(one) - rank(other) || (one.id < other.id ? -1 : 1))[0];
}

/** The gateway shows DEBIT_CARD in its answers but takes it in no request: the payer chooses it on the page. */
export const billingTypeOf = (method: PaymentRequest['method']) =>
  method === 'DEBIT_CARD' ? 'UNDEFINED' : method;

/** Only these can be paid by a bank slip. */
export const mayHaveBankSlip = (payment: AsaasPayment): boolean =>
  payment.billingType === 'BOLETO' || payment.billingType === 'UNDEFINED';

/** Division rounds to the double nearest to the decimal, and JSON prints that decimal: exact for whole centavos. */
export function reaisOf(totalMicros: number): number {
  if (!Number.isSafeInteger(totalMicros) || totalMicros % microsPerCentavo !== 0) {
    throw new RangeError(`${totalMicros} micros are not whole centavos`);
  }
  return reaisFromMicros(totalMicros);
}

/** `2026-08-01` or `2026-08-01 23:59:59`, in Sao Paulo, which has had no summer time since 2019. */
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
