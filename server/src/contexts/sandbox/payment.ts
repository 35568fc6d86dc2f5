import type { GatewayPayment, PaymentRequest } from '../charges/index.ts';

export type PaymentStatus = GatewayPayment['status'];
export type PaymentMethod = PaymentRequest['method'];

/** A payment as stored by the sandbox. */
export interface Payment {
  /** Contains the secret part of the payment link. */
  id: string;
  /** Sequential number, shown to the payer. */
  number: number;
  reference: string;
  method: PaymentMethod;
  totalMicros: number;
  /** YYYY-MM-DD, in Sao Paulo. */
  dueDate: string;
  description: string;
  status: Exclude<PaymentStatus, 'OVERDUE'>;
  paidBy: PayerChoice | null;
  createdAt: Date;
  refusedAt: Date | null;
  paidAt: Date | null;
  receivedAt: Date | null;
  refundedAt: Date | null;
}

/** The method that a payer has chosen. */
export type PayerChoice = Exclude<PaymentMethod, 'UNDEFINED'>;

/** The payee. Its Pix key is unassigned, so that no bank pays to it. */
export const payee = { name: 'Disca', city: 'Sao Paulo', pixKey: '00000000-0000-4000-8000-000000000000' };
