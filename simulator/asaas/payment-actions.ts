import type { Book } from './book.ts';
import { dateOf, daysAfter, type FakePayment, type Status, timeOf } from './payment.ts';

const cardSettlementDays = 30;

/** Actions of payers, banks and the operator on a payment, outside of API requests. */
export function createPaymentActions(book: Book, now: () => Date) {
  function change(id: string, fields: Partial<FakePayment>, event: string): FakePayment {
    const payment = Object.assign(book.payment(id), fields);
    book.emit(event, payment);
    return payment;
  }

  return {
    /** A card was charged; the money arrives weeks later. */
    confirm(id: string) {
      const today = dateOf(now());
      const creditDate = dateOf(daysAfter(now(), cardSettlementDays));
      const dates = { confirmedDate: today, clientPaymentDate: today, creditDate };
      // The payer chose a card.
      const chosen =
        book.payment(id).billingType === 'UNDEFINED' ? { billingType: 'CREDIT_CARD' as const } : {};
      const fields = { status: 'CONFIRMED' as const, deleted: false, ...chosen, ...receipt(id), ...dates };
      change(id, fields, 'PAYMENT_CONFIRMED');
    },

    /** The money has arrived. Instant payments and bank slips go directly to this state, even after deletion. */
    pay(id: string, status: 'RECEIVED' | 'RECEIVED_IN_CASH' | 'DUNNING_RECEIVED' = 'RECEIVED') {
      const today = dateOf(now());
      const { confirmedDate, clientPaymentDate } = book.payment(id);
      const dates = {
        confirmedDate: confirmedDate ?? today,
        clientPaymentDate: clientPaymentDate ?? today,
        paymentDate: today,
        creditDate: today,
      };
      const event = status === 'DUNNING_RECEIVED' ? 'PAYMENT_DUNNING_RECEIVED' : 'PAYMENT_RECEIVED';
      change(id, { status, deleted: false, ...receipt(id), ...dates }, event);
    },

    /** Refunds the remaining amount, or a part of it. */
    refund(id: string, value?: number) {
      const payment = book.payment(id);
      const before = (payment.refunds ?? []).reduce((sum, refund) => sum + cents(refund.value), 0);
      const part = value === undefined ? cents(payment.value) - before : cents(value);
      const refunds = [
        ...(payment.refunds ?? []),
        { dateCreated: timeOf(now()), status: 'DONE' as const, value: part / 100 },
      ];
      if (before + part < cents(payment.value)) change(id, { refunds }, 'PAYMENT_PARTIALLY_REFUNDED');
      else change(id, { refunds, status: 'REFUNDED' }, 'PAYMENT_REFUNDED');
    },

    chargeback(id: string) {
      const chargeback = { status: 'REQUESTED', reason: 'COMMERCIAL_DISAGREEMENT' };
      change(id, { status: 'CHARGEBACK_REQUESTED', chargeback }, 'PAYMENT_CHARGEBACK_REQUESTED');
    },

    /** Ends a won dispute: the money is returned. */
    reverseChargeback(id: string) {
      const chargeback = { status: 'REVERSED', reason: 'COMMERCIAL_DISAGREEMENT' };
      change(
        id,
        { status: 'AWAITING_CHARGEBACK_REVERSAL', chargeback },
        'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
      );
      change(id, { status: 'RECEIVED' }, 'PAYMENT_RECEIVED');
    },

    overdue(id: string) {
      change(id, { status: 'OVERDUE' }, 'PAYMENT_OVERDUE');
    },

    /** Sets any status and sends the corresponding event. */
    turn(id: string, status: Status) {
      change(id, { status }, `PAYMENT_${status}`);
    },
  };

  function receipt(id: string) {
    const { invoiceUrl } = book.payment(id);
    return { transactionReceiptUrl: invoiceUrl.replace('/i/', '/comprovantes/') };
  }
}

const cents = (reais: number) => Math.round(reais * 100);
