import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentGateway } from '../../../src/contexts/charges/gateway.ts';
import { gatewayConformance } from './conformance.ts';
import { type AsaasScene, customerOf, startScene, webhookToken } from './fake-asaas.ts';

gatewayConformance('asaas', async () => {
  const { asaas, gateway, dueDate, stop } = await startScene();
  return {
    gateway: gateway(),
    dueDate,
    pay: asaas.pay,
    refund: asaas.refund,
    chargeback: asaas.chargeback,
    overdue: asaas.overdue,
    notification: (paymentId) => ({
      headers: { 'asaas-access-token': webhookToken },
      body: asaas.events().findLast((event) => event.payment.id === paymentId),
    }),
    stop,
  };
});

let scene: AsaasScene;
let gateway: PaymentGateway;
beforeAll(async () => {
  scene = await startScene();
  gateway = scene.gateway();
});
afterAll(() => scene.stop());

const paymentsOf = (reference: string) =>
  scene.asaas.payments().filter((payment) => payment.externalReference === reference);

test('a debit card payment is created with the method left to the payer, in exact reais', async () => {
  const wish = scene.wish({ method: 'DEBIT_CARD', totalMicros: 1_234_560_000 });
  await gateway.ensurePayment(wish);
  expect(paymentsOf(wish.reference)).toMatchObject([{ billingType: 'UNDEFINED', value: 1234.56 }]);
});

test('never requests a payment with fractions of a centavo or without a customer', async () => {
  await expect(gateway.ensurePayment(scene.wish({ totalMicros: 50_012_345 }))).rejects.toThrow(RangeError);
  await expect(gateway.ensurePayment(scene.wish({ customerId: undefined }))).rejects.toThrow(
    'needs a customer',
  );
});

test('a card payment is confirmed first, and received when the money arrives', async () => {
  const { id } = await gateway.ensurePayment(scene.wish({ method: 'CREDIT_CARD' }));
  scene.asaas.confirm(id);
  const confirmed = await gateway.readPayment(id);
  expect(confirmed).toMatchObject({ status: 'CONFIRMED', receivedAt: null });
  expect(confirmed?.paidAt).toBeInstanceOf(Date);
  scene.asaas.pay(id);
  const received = await gateway.readPayment(id);
  expect(received?.status).toBe('RECEIVED');
  expect(received?.receivedAt).toBeInstanceOf(Date);
});

test('partial refunds add up to a full refund', async () => {
  const { id } = await gateway.ensurePayment(scene.wish());
  scene.asaas.pay(id);
  scene.asaas.refund(id, 20.1);
  const partly = { status: 'RECEIVED', refundedMicros: 20_100_000, refundedAt: null };
  expect(await gateway.readPayment(id)).toMatchObject(partly);
  scene.asaas.refund(id, 10.05);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED', refundedMicros: 30_150_000 });
  scene.asaas.refund(id);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'REFUNDED', refundedMicros: 50_010_000 });
});

test('a reversed chargeback counts as received money again', async () => {
  const { id } = await gateway.ensurePayment(scene.wish({ method: 'CREDIT_CARD' }));
  scene.asaas.pay(id);
  scene.asaas.chargeback(id);
  scene.asaas.turn(id, 'CHARGEBACK_DISPUTE');
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'CHARGEBACK' });
  scene.asaas.reverseChargeback(id);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED', refundedMicros: 0 });
});

test('updates a customer whose tax id was corrected after a lost response', async () => {
  const { customerId } = await gateway.ensureCustomer(customerOf('account-1', '52998224725'));
  expect(await gateway.ensureCustomer(customerOf('account-1', '12ABC34501DE35'))).toEqual({ customerId });
  const known = scene.asaas.customers().filter((customer) => customer.externalReference === 'account-1');
  expect(known).toMatchObject([{ id: customerId, cpfCnpj: '12ABC34501DE35', notificationDisabled: true }]);
});

test('of two payments with one reference the paid one counts', async () => {
  const wish = scene.wish();
  scene.asaas.fault('504-effect-later', { on: 'POST /payments', times: 2 });
  await expect(gateway.ensurePayment(wish)).rejects.toThrow('504');
  await expect(gateway.ensurePayment(wish)).rejects.toThrow('504');
  scene.asaas.land();
  for (const { id } of paymentsOf(wish.reference)) {
    scene.asaas.pay(id);
    expect(await gateway.ensurePayment(wish)).toMatchObject({ id, status: 'RECEIVED' });
    scene.asaas.turn(id, 'PENDING');
  }
  expect(paymentsOf(wish.reference)).toHaveLength(2);
});

test('requests the bank slip line once, and again only while it is missing', async () => {
  const asked = () =>
    scene.asaas.traffic.requests.filter((name) => name.endsWith('identificationField')).length;
  const before = asked();
  scene.asaas.fault('500', { on: 'GET /payments/' });
  const { id, code } = await gateway.ensurePayment(scene.wish({ method: 'BOLETO' }));
  expect(code).toBeNull();
  const line = (await gateway.readPayment(id))?.code;
  expect(line).toMatch(/^\d{47}$/);
  scene.asaas.pay(id);
  expect((await gateway.readPayment(id))?.code).toBe(line);
  expect(asked() - before).toBe(2);
});

test('accepts a notification only with the token, and only about a changed payment', () => {
  const headers = { 'asaas-access-token': webhookToken };
  const body = { id: 'evt_1', event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', status: 'RECEIVED' } };
  expect(gateway.readNotification(headers, body)).toEqual({ eventId: 'evt_1', paymentId: 'pay_1' });
  expect(gateway.readNotification(headers, { ...body, event: 'PAYMENT_CHECKOUT_VIEWED' })).toBeUndefined();
  expect(gateway.readNotification(headers, { ...body, event: 'TRANSFER_DONE' })).toBeUndefined();
  for (const nonsense of [null, [], 'x', { event: 'PAYMENT_RECEIVED' }, { ...body, payment: {} }]) {
    expect(gateway.readNotification(headers, nonsense)).toBeUndefined();
  }
  for (const token of [undefined, '', 'a-token', `${webhookToken} `]) {
    expect(() => gateway.readNotification({ 'asaas-access-token': token }, body)).toThrow('token');
  }
  const unset = scene.gateway({ webhookToken: '' });
  expect(() => unset.readNotification({ 'asaas-access-token': '' }, body)).toThrow('token');
});
