import { randomBytes } from 'node:crypto';

export type Status =
  | 'PENDING'
  | 'RECEIVED'
  | 'CONFIRMED'
  | 'OVERDUE'
  | 'REFUNDED'
  | 'RECEIVED_IN_CASH'
  | 'REFUND_REQUESTED'
  | 'REFUND_IN_PROGRESS'
  | 'CHARGEBACK_REQUESTED'
  | 'CHARGEBACK_DISPUTE'
  | 'AWAITING_CHARGEBACK_REVERSAL'
  | 'DUNNING_REQUESTED'
  | 'DUNNING_RECEIVED'
  | 'AWAITING_RISK_ANALYSIS';

export interface FakePayment {
  object: 'payment';
  id: string;
  dateCreated: string;
  customer: string;
  externalReference: string | null;
  billingType: string;
  value: number;
  netValue: number;
  status: Status;
  dueDate: string;
  description: string | null;
  invoiceUrl: string;
  invoiceNumber: string;
  bankSlipUrl: string | null;
  transactionReceiptUrl: string | null;
  confirmedDate: string | null;
  clientPaymentDate: string | null;
  paymentDate: string | null;
  creditDate: string | null;
  deleted: boolean;
  refunds: { dateCreated: string; status: 'PENDING' | 'CANCELLED' | 'DONE'; value: number }[] | null;
  chargeback: { status: string; reason: string } | null;
}

export interface FakeCustomer {
  object: 'customer';
  id: string;
  dateCreated: string;
  name: string;
  cpfCnpj: string;
  personType: 'FISICA' | 'JURIDICA';
  externalReference: string | null;
  deleted: boolean;
  [contact: string]: unknown;
}

export interface FakeEvent {
  id: string;
  event: string;
  dateCreated: string;
  payment: FakePayment;
}

export const newId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

/** Formats in São Paulo time, which has had no daylight saving time since 2019. */
const inSaoPaulo = (at: Date) => new Date(at.getTime() - 3 * 3_600_000).toISOString();

export const dateOf = (at: Date) => inSaoPaulo(at).slice(0, 10);

export const timeOf = (at: Date) => inSaoPaulo(at).slice(0, 19).replace('T', ' ');

export const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * 86_400_000);
