import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentGateway, PaymentRequest } from '../../../src/contexts/charges/index.ts';
import { parsePixCode } from '../../adapters/payments/pix-code.ts';
import { dayAhead, queuedEvents } from '../../harness/fixtures/sandbox.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { readBarcode } from './read-slip.ts';

let platform: Platform;
let gateway: PaymentGateway;
let made = 0;

beforeAll(async () => {
  platform = await startPlatform();
  gateway = platform.api.money.gateways.of('test');
});
afterAll(() => platform.close());

const make = (more: Partial<PaymentRequest> = {}) => {
  made += 1;
  return gateway.ensurePayment({
    reference: `page-${made}`,
    customerId: undefined,
    method: 'UNDEFINED',
    totalMicros: 1_250_900_000,
    dueDate: dayAhead(platform.clock.now(), 3),
    description: 'Crédito de chamadas',
    ...more,
  });
};

async function open(id: string, language = 'pt-BR') {
  const url = `/sandbox/pay/${id}`;
  const answer = await platform.app.inject({ url, headers: { 'accept-language': language } });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    html: answer.body,
    text: stripTags(answer.body),
  };
}

const stripTags = (html: string): string =>
  html
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Presses a button like a browser: posts the form and follows the redirect. */
async function press(id: string, action: 'pay' | 'refuse', form = '') {
  const posted = await platform.app.inject({
    method: 'POST',
    url: `/sandbox/pay/${id}/${action}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form,
  });
  expect(posted).toMatchObject({ statusCode: 303, headers: { location: `/sandbox/pay/${id}` } });
  return await open(id);
}

test('CHARGE-24 the payment link opens a page with payee, amount, due date and description', async () => {
  const { id, link } = await make();
  expect(link).toBe(`http://api.disca.test/sandbox/pay/${id}`);
  const page = await open(id);
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const shown of ['Pagamento para Disca', 'R$ 1.250,90', 'Crédito de chamadas', 'Modo de teste'])
    expect(page.text).toContain(shown);
  const [year, month, day] = dayAhead(platform.clock.now(), 3).split('-');
  expect(page.text).toMatch(new RegExp(`${Number(day)} de \\p{L}+ de ${year}`, 'u'));
  expect(month).toMatch(/^\d\d$/);
});

test('CHARGE-24 CHARGE-27 its Pix code and bank-slip line can be copied and read elsewhere', async () => {
  const { id, code } = await make();
  const page = await open(id);
  const shown = (element: string) =>
    new RegExp(`<code id="${element}"[^>]*>([^<]+)<`).exec(page.html)?.[1] ?? '';
  expect(parsePixCode(shown('pix-code'))).toMatchObject({ '54': '1250.90' });
  expect(shown('pix-code')).toBe((await gateway.readPix(id)).code);
  expect(shown('slip-line').replaceAll(/\D/g, '')).toBe(code);
  expect(readBarcode(code ?? '').slice(9, 19)).toBe('0000125090');
  expect(page.html).toContain('class="qr"');
});

test('the page offers only the payment methods of the charge', async () => {
  const listPanels = async (method: PaymentRequest['method']) => {
    const { html } = await open((await make({ method })).id);
    return [...html.matchAll(/id="panel-(\w+)"/g)].map(([, name]) => name);
  };
  expect(await listPanels('UNDEFINED')).toEqual(['PIX', 'BOLETO', 'CREDIT_CARD']);
  for (const method of ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD'] as const)
    expect(await listPanels(method)).toEqual([method]);
});

test('CHARGE-24 the pay button pays with the chosen method, and the page shows it', async () => {
  const { id } = await make();
  const page = await press(id, 'pay', 'choice=BOLETO');
  expect(page.text).toContain('Pagamento recebido');
  expect(page.html).not.toContain('<form');
  const [row] = await platform.database.query('select status, paid_by from sandbox_payments where id = $1', [
    id,
  ]);
  expect(row).toEqual({ status: 'RECEIVED', paid_by: 'BOLETO' });
  await press(id, 'pay');
  expect(await queuedEvents(platform.database, id)).toHaveLength(1);
});

test('a payer cannot choose a method that is not offered', async () => {
  const { id } = await make({ method: 'PIX' });
  await press(id, 'pay', 'choice=CREDIT_CARD');
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED' });
  const { id: other } = await make();
  await press(other, 'pay', 'choice=BITCOIN&choice=PIX&x=1');
  expect(await gateway.readPayment(other)).toMatchObject({ status: 'RECEIVED' });
});

test('CHARGE-24 the refuse button rejects the payment, which can still be paid', async () => {
  const { id } = await make({ method: 'CREDIT_CARD' });
  const refused = await press(id, 'refuse');
  expect(refused.text).toContain('O pagamento foi recusado');
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'PENDING', paidAt: null });
  const paid = await press(id, 'pay');
  expect(paid.text).toContain('Pagamento confirmado');
  expect(paid.text).not.toContain('recusado');
});

test('an overdue payment is marked and can be paid; a cancelled one cannot', async () => {
  const { id } = await make();
  await platform.database.query('update sandbox_payments set due_date = current_date - 2 where id = $1', [
    id,
  ]);
  expect((await open(id)).text).toContain('O vencimento já passou');
  expect((await press(id, 'pay')).text).toContain('Pagamento recebido');
  const { id: cancelled } = await make();
  await gateway.cancelPayment(cancelled);
  const page = await press(cancelled, 'pay');
  expect(page.text).toContain('Pagamento cancelado');
  expect(page.html).not.toContain('<form');
  expect(await gateway.readPayment(cancelled)).toMatchObject({ status: 'CANCELED' });
});

test.each([
  [undefined, 'pt-BR'],
  ['', 'pt-BR'],
  ['de, fr;q=0.5', 'pt-BR'],
  ['en-US,en;q=0.9', 'en'],
  ['de,en;q=0.8,pt;q=0.7', 'en'],
  ['en;q=0.7,pt-BR;q=0.9', 'pt-BR'],
  ['en;q=0', 'pt-BR'],
])('a browser that prefers %o gets %s', async (language, locale) => {
  const { id } = await make();
  const page = await open(id, language);
  expect(page.headers['content-language']).toBe(locale);
  expect(page.html).toContain(`<html lang="${locale}">`);
  expect(page.text).toContain(locale === 'en' ? 'Test mode' : 'Modo de teste');
});

test('the page runs only its own script and style, and loads nothing', async () => {
  const { id } = await make();
  const { html, headers } = await open(id);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const findHash = (tag: string) => {
    const [, content = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html) ?? [];
    return `${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  };
  expect(policy).toContain(findHash('script'));
  expect(policy).toContain(findHash('style'));
  expect(html).not.toMatch(/ (src|href|style|on\w+)=/);
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
});

test('a description is shown as text and never executed', async () => {
  const description = `<script>alert('1')</script> "A" & <img src=x onerror=alert(1)>`;
  const { id } = await make({ description });
  const { html } = await open(id);
  expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot;A&quot; &amp; &lt;img src=x');
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('an unknown payment has its own page, whatever the URL contains', async () => {
  for (const id of ['sbx_AAAAAAAAAAAAAAAAAAAAAA', 'x', '%00', "'--", '%F0%9F%98%80', 'a'.repeat(300)]) {
    const page = await open(id);
    expect(page.status).toBe(404);
    expect(page.text).toContain('Pagamento não encontrado');
    const posted = await platform.app.inject({ method: 'POST', url: `/sandbox/pay/${id}/pay` });
    expect(posted.statusCode).toBe(303);
  }
});

test('forms are accepted only on this page, and only small ones', async () => {
  const { id } = await make();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (url: string, payload: string) =>
    platform.app.inject({ method: 'POST', url, payload, headers: form });
  expect((await post(`/sandbox/pay/${id}/pay`, 'a'.repeat(2000))).statusCode).toBe(413);
  expect((await post('/api/v1/users/login', 'email=a')).statusCode).toBe(415);
});
