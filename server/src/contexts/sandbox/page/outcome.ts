import type { Payment, PaymentStatus } from '../payment.ts';
import { shownMoment } from './formats.ts';
import { type Html, html } from './html.ts';
import { back, check, cross, warning } from './icons.ts';
import { type Locale, words } from './words.ts';

type Final = Exclude<PaymentStatus, 'PENDING' | 'OVERDUE'>;

const seals: Record<Final, Html> = {
  CONFIRMED: check,
  RECEIVED: check,
  CANCELED: cross,
  REFUNDED: back,
  CHARGEBACK: warning,
};

/** Renders the result of a payment that needs no further action. */
export function outcome(payment: Payment, status: PaymentStatus, locale: Locale): Html | undefined {
  if (status === 'PENDING' || status === 'OVERDUE') return undefined;
  const text = words[locale];
  const facts = [
    payment.paidAt && fact(text.paidAt, shownMoment(locale, payment.paidAt)),
    payment.paidBy && fact(text.paidBy, text.choices[payment.paidBy]),
    payment.refundedAt && fact(text.refundedAt, shownMoment(locale, payment.refundedAt)),
  ].filter((each) => each !== null);
  return html`<div class="outcome" role="status">
<div class="seal">${seals[status]}</div>
<h2>${text.statuses[status]}</h2>
<p>${text.outcomes[status]}</p>
${facts.length > 0 ? html`<dl>${facts}</dl>` : undefined}
</div>`;
}

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
