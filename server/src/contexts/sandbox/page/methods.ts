import { bankSlipLine, printedLine } from '../bank-slip.rules.ts';
import { choicesOf } from '../payment.rules.ts';
import type { PayerChoice, Payment } from '../payment.ts';
import { qrPath } from '../qr-image.ts';
import { pixCodeOf } from '../sandbox-gateway.ts';
import { shownAmount } from './formats.ts';
import { type Html, html } from './html.ts';
import { type Locale, type Words, words } from './words.ts';

/** Renders all methods of the payment. With several, the payer switches between them without a script. */
export function paymentMethods(payment: Payment, locale: Locale): Html {
  const choices = choicesOf(payment.method);
  const panels = choices.map((choice) => panel(payment, choice, locale));
  const { howToPay, payWith, choices: names } = words[locale];
  const [only, ...others] = choices;
  if (only && others.length === 0) return html`<h2>${payWith(names[only])}</h2>${panels}`;
  const tabs = choices.map((choice, at) => tab(choice, at === 0, words[locale]));
  return html`<h2 id="how">${howToPay}</h2>
<div class="tabs" role="radiogroup" aria-labelledby="how">${tabs}</div>
${panels}`;
}

const tab = (choice: PayerChoice, isFirst: boolean, { choices, card }: Words): Html =>
  html`<input type="radio" name="shown" id="show-${choice}"${isFirst ? html` checked` : undefined}><label for="show-${choice}">${choice === 'CREDIT_CARD' ? card : choices[choice]}</label>`;

function panel(payment: Payment, choice: PayerChoice, locale: Locale): Html {
  const text = words[locale];
  const action = `/sandbox/pay/${payment.id}`;
  return html`<section class="panel" id="panel-${choice}" aria-label="${text.choices[choice]}">
${contents[choice](payment, text)}
<p class="hint">${text.youDecide}</p>
<div class="actions">
<form method="post" action="${action}/pay"><input type="hidden" name="choice" value="${choice}"><button class="primary">${text.pay(shownAmount(locale, payment.totalMicros))}</button></form>
<form method="post" action="${action}/refuse"><button class="secondary">${text.refuse}</button></form>
</div>
</section>`;
}

const contents: Record<PayerChoice, (payment: Payment, text: Words) => Html> = {
  PIX(payment, text) {
    const code = pixCodeOf(payment);
    const { side, path } = qrPath(code);
    return html`<div class="pix">
<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${text.qrCode}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>
<ol>${text.pixSteps.map((step) => html`<li>${step}</li>`)}</ol>
</div>
${copyable('pix-code', text.pixCode, code, text)}`;
  },
  BOLETO: (payment, text) =>
    html`<p>${text.slipHelp}</p>
${copyable('slip-line', text.slipLine, printedLine(bankSlipLine(payment)), text)}`,
  CREDIT_CARD: (_payment, text) => testCard(text),
  DEBIT_CARD: (_payment, text) => testCard(text),
};

const testCard = (text: Words): Html =>
  html`<div class="plastic" aria-hidden="true"><span>${text.testCard}</span><b>4000 0000 0000 0002</b><span>12/39</span></div>
<p>${text.cardHelp}</p>`;

const copyable = (id: string, label: string, value: string, text: Words): Html =>
  html`<div class="copyable">
<span class="label" id="${id}-label">${label}</span>
<code id="${id}" aria-labelledby="${id}-label">${value}</code>
<button type="button" class="copy" data-copies="${id}" data-done="${text.copied}" hidden>${text.copy}</button>
</div>`;
