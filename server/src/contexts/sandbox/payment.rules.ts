import { dayInSaoPaulo } from '../../platform/time.ts';
import type { PayerChoice, Payment, PaymentMethod, PaymentStatus } from './payment.ts';

/** What a payer, the bank or the merchant does to a payment; `settle` is the bank paying out what a card promised. */
export type Change = 'pay' | 'settle' | 'refuse' | 'refund' | 'charge back' | 'cancel';

const isPaid = (payment: Payment): boolean => payment.status === 'CONFIRMED' || payment.status === 'RECEIVED';

/**
 * The payment after a change, or undefined when it cannot happen. A cancelled payment can still be paid, because a
 * bank slip that was printed and a code that was copied live on outside.
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

/** Money by card is promised first and paid out later; the other ways bring it at once. */
const isCard = (choice: PayerChoice): boolean => choice === 'CREDIT_CARD' || choice === 'DEBIT_CARD';

/** The ways of paying that a payment offers. */
export const choicesOf = (method: PaymentMethod): PayerChoice[] =>
  method === 'UNDEFINED' ? ['PIX', 'BOLETO', 'CREDIT_CARD'] : [method];

function choiceOf(method: PaymentMethod, choice: PayerChoice | undefined): PayerChoice {
  const [first = 'PIX', ...others] = choicesOf(method);
  return others.find((other) => other === choice) ?? first;
}

export const statusAt = (payment: Payment, at: Date): PaymentStatus =>
  payment.status === 'PENDING' && payment.dueDate < dayInSaoPaulo(at) ? 'OVERDUE' : payment.status;
