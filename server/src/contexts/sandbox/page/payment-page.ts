import { createHash } from 'node:crypto';
import { statusAt } from '../payment.rules.ts';
import { type Payment, payee } from '../payment.ts';
import { shownAmount, shownDay } from './formats.ts';
import { type Html, html, markup } from './html.ts';
import { flask, mark, question, warning } from './icons.ts';
import { paymentMethods } from './methods.ts';
import { outcome } from './outcome.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { type Locale, words } from './words.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only the page's own script and style, and no referrer, because the address is a secret. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
};

export function renderPayment(payment: Payment, locale: Locale, at: Date): string {
  const text = words[locale];
  const status = statusAt(payment, at);
  const isOpen = status === 'PENDING' || status === 'OVERDUE';
  const body = html`<main>
${summary(payment, locale)}
<div class="card" data-status="${status}">
${isOpen && payment.refusedAt ? notice(text.refused, 'refused') : undefined}
${status === 'OVERDUE' ? notice(text.overdue, 'overdue') : undefined}
${isOpen ? paymentMethods(payment, locale) : outcome(payment, status, locale)}
</div>
</main>`;
  return page(locale, `${shownAmount(locale, payment.totalMicros)} · ${text.title} · ${payee.name}`, body);
}

export const renderMissing = (locale: Locale): string =>
  page(
    locale,
    words[locale].missing,
    html`<main class="alone"><div class="card outcome"><div class="seal">${question}</div><h2>${words[locale].missing}</h2><p>${words[locale].missingHelp}</p></div></main>`,
  );

function summary(payment: Payment, locale: Locale): Html {
  const text = words[locale];
  return html`<section class="summary">
<p class="payee">${text.payTo} <b>${payee.name}</b></p>
<h1>${shownAmount(locale, payment.totalMicros)}</h1>
<dl>
<div><dt>${text.due}</dt><dd>${shownDay(locale, payment.dueDate)}</dd></div>
<div><dt>${text.description}</dt><dd>${payment.description}</dd></div>
<div><dt>${text.number}</dt><dd>${payment.number}</dd></div>
</dl>
</section>`;
}

const notice = (text: string, kind: string): Html =>
  html`<p class="notice ${kind}" role="status">${warning}<span>${text}</span></p>`;

function page(locale: Locale, title: string, body: Html): string {
  const text = words[locale];
  return html`${markup('<!doctype html>')}
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${markup(style)}</style>
</head>
<body>
<p class="ribbon">${flask}<span><b>${text.testMode}.</b> ${text.noRealMoney}</span></p>
<header>${mark}<span>Disca</span></header>
${body}
<footer>${text.footer}</footer>
<script>${markup(script)}</script>
</body>
</html>
`.markup;
}
