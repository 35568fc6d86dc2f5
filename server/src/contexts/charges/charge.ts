import type { Book } from '../billing/index.ts';
import type { ChargeStatus, GatewayName, PaymentMethod } from './gateway.ts';

export interface Charge {
  id: number;
  reference: string;
  accountId: number;
  book: Book;
  userId: number;
  gateway: GatewayName;
  paymentMethod: PaymentMethod;
  paymentId: string | null;
  paymentCode: string | null;
  paymentLink: string | null;
  invoiceId: string | null;
  invoiceLink: string | null;
  /** YYYY-MM-DD, in Sao Paulo. */
  dueDate: string;
  amountMicros: number;
  feeMicros: number;
  description: string;
  status: ChargeStatus;
  statusUpdatedAt: Date;
  /** Amount currently credited to the customer, and as our fee. */
  creditedMicros: number;
  creditedFeeMicros: number;
  /** Number of changes of the credited amount. */
  movements: number;
  /** The method that the gateway reported with the payment; null before. */
  paidWith: PaymentMethod | null;
  /** The part of a paid amount that is not credited yet, and when it is at the latest. */
  retainedMicros: number;
  retainedUntil: Date | null;
  paidAt: Date | null;
  refundedAt: Date | null;
  receivedAt: Date | null;
  createdAt: Date;
  nextCheckAt: Date | null;
}

export const totalMicros = (charge: Charge): number => charge.amountMicros + charge.feeMicros;
