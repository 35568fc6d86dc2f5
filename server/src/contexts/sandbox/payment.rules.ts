import { dayInSaoPaulo } from '../../platform/time.ts';
import type { PayerChoice, Payment, PaymentMethod, PaymentStatus } from './payment.ts';

/** Actions of the payer, the bank or the merchant. `settle`: the bank pays out a card payment. */
export type Change = 'pay' | 'settle' | 'refuse' | 'refund' | 'charge back' | 'cancel';

const isPaid = (payment: Payment): boolean => payment.status === 'CONFIRMED' || payment.status === 'RECEIVED';

/**
 * Returns the payment after a change, or undefined if the change is not possible. A cancelled payment can still be
 * paid, because printed bank slips and copied codes remain valid.
 */
export function afterChange(
  payment: Payment,
  change: Change,
  at: Date,
  choice?: PayerChoice,
): Payment | undefined {
  switch (change) {
    case 'pay': {
      if (payment.status !== 'PENDING' && payment.status !== 'CANCELED') return undefined;
      const paidBy = choiceOf(payment.method, choice);
      const paid = { ...payment, paidBy, paidAt: at, refusedAt: null };
      return isCard(paidBy)
        ? { ...paid, status: 'CONFIRMED' }
        : { ...paid, status: 'RECEIVED', receivedAt: at };
    }
    case 'settle':
      return payment.status === 'CONFIRMED' ? { ...payment, status: 'RECEIVED', receivedAt: at } : undefined;
    case 'refuse':
      return payment.status === 'PENDING' ? { ...payment, refusedAt: at } : undefined;
    case 'refund':
      return isPaid(payment) ? { ...payment, status: 'REFUNDED', refundedAt: at } : undefined;
    case 'charge back':
      return isPaid(payment) ? { ...payment, status: 'CHARGEBACK' } : undefined;
    case 'cancel':
      return payment.status === 'PENDING' ? { ...payment, status: 'CANCELED' } : undefined;
  }
}

/**
 * Returns whether the payer chose a card. Card payments are confirmed first and settled later; other methods settle
 * immediately.
 */
const isCard = (choice: PayerChoice): boolean => choice === 'CREDIT_CARD' || choice === 'DEBIT_CARD';

/** Returns the payment methods that a payer may choose from. */
export const choicesOf = (method: PaymentMethod): PayerChoice[] =>
  method === 'UNDEFINED' ? ['PIX', 'BOLETO', 'CREDIT_CARD'] : [method];

function choiceOf(method: PaymentMethod, choice: PayerChoice | undefined): PayerChoice {
  const [first = 'PIX', ...others] = choicesOf(method);
  return others.find((other) => other === choice) ?? first;
}

export const statusAt = (payment: Payment, at: Date): PaymentStatus =>
  payment.status === 'PENDING' && payment.dueDate < dayInSaoPaulo(at) ? 'OVERDUE' : payment.status;
