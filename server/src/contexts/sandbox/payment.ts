import type { GatewayPayment, PaymentRequest } from '../charges/index.ts';

export type PaymentStatus = GatewayPayment['status'];
export type PaymentMethod = PaymentRequest['method'];

/** A payment as the sandbox keeps it. */
export interface Payment {
  /** The secret of its link. */
  id: string;
  /** Counts payments; the payer reads it as the payment's number. */
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

/** What a payer pays with, once they have chosen. */
export type PayerChoice = Exclude<PaymentMethod, 'UNDEFINED'>;

/** Who is paid. The key is of the random kind and belongs to nobody, so that no bank would move money to it. */
export const payee = { name: 'Disca', city: 'Sao Paulo', pixKey: '00000000-0000-4000-8000-000000000000' };
