import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentGateway } from '../../../src/contexts/charges/gateway.ts';
import { gatewayConformance } from './conformance.ts';
import { type AsaasFixture, buildCustomer, startFakeAsaas, webhookToken } from './fake-asaas.ts';

gatewayConformance('asaas', async () => {
  const { asaas, gateway, dueDate, stop } = await startFakeAsaas();
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

let fixture: AsaasFixture;
let gateway: PaymentGateway;
beforeAll(async () => {
  fixture = await startFakeAsaas();
  gateway = fixture.gateway();
});
afterAll(() => fixture.stop());

const listPayments = (reference: string) =>
  fixture.asaas.payments().filter((payment) => payment.externalReference === reference);

test('a debit card payment is created with the method left to the payer, in exact reais', async () => {
  const request = fixture.newRequest({ method: 'DEBIT_CARD', totalMicros: 1_234_560_000 });
  await gateway.ensurePayment(request);
  expect(listPayments(request.reference)).toMatchObject([{ billingType: 'UNDEFINED', value: 1234.56 }]);
});

test('never requests a payment with fractions of a centavo or without a customer', async () => {
  await expect(gateway.ensurePayment(fixture.newRequest({ totalMicros: 50_012_345 }))).rejects.toThrow(
    RangeError,
  );
  await expect(gateway.ensurePayment(fixture.newRequest({ customerId: undefined }))).rejects.toThrow(
    'needs a customer',
  );
});

test('a card payment is confirmed first, and received when the money arrives', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest({ method: 'CREDIT_CARD' }));
  fixture.asaas.confirm(id);
  const confirmed = await gateway.readPayment(id);
  expect(confirmed).toMatchObject({ status: 'CONFIRMED', receivedAt: null });
  expect(confirmed?.paidAt).toBeInstanceOf(Date);
  fixture.asaas.pay(id);
  const received = await gateway.readPayment(id);
  expect(received?.status).toBe('RECEIVED');
  expect(received?.receivedAt).toBeInstanceOf(Date);
});

test('partial refunds add up to a full refund', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest());
  fixture.asaas.pay(id);
  fixture.asaas.refund(id, 20.1);
  const partly = { status: 'RECEIVED', refundedMicros: 20_100_000, refundedAt: null };
  expect(await gateway.readPayment(id)).toMatchObject(partly);
  fixture.asaas.refund(id, 10.05);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED', refundedMicros: 30_150_000 });
  fixture.asaas.refund(id);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'REFUNDED', refundedMicros: 50_010_000 });
});

test('a reversed chargeback counts as received money again', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest({ method: 'CREDIT_CARD' }));
  fixture.asaas.pay(id);
  fixture.asaas.chargeback(id);
  fixture.asaas.turn(id, 'CHARGEBACK_DISPUTE');
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'CHARGEBACK' });
  fixture.asaas.reverseChargeback(id);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'RECEIVED', refundedMicros: 0 });
});

test('updates a customer whose tax id was corrected after a lost response', async () => {
  const { customerId } = await gateway.ensureCustomer(buildCustomer('account-1', '52998224725'));
  expect(await gateway.ensureCustomer(buildCustomer('account-1', '12ABC34501DE35'))).toEqual({ customerId });
  const customers = fixture.asaas
    .customers()
    .filter((customer) => customer.externalReference === 'account-1');
  expect(customers).toMatchObject([
    { id: customerId, cpfCnpj: '12ABC34501DE35', notificationDisabled: true },
  ]);
});

test('prefers the paid one of two payments with one reference', async () => {
  const request = fixture.newRequest();
  fixture.asaas.fault('504-effect-later', { on: 'POST /payments', times: 2 });
  await expect(gateway.ensurePayment(request)).rejects.toThrow('504');
  await expect(gateway.ensurePayment(request)).rejects.toThrow('504');
  fixture.asaas.land();
  for (const { id } of listPayments(request.reference)) {
    fixture.asaas.pay(id);
    expect(await gateway.ensurePayment(request)).toMatchObject({ id, status: 'RECEIVED' });
    fixture.asaas.turn(id, 'PENDING');
  }
  expect(listPayments(request.reference)).toHaveLength(2);
});

test('requests the bank slip line once, and again only while it is missing', async () => {
  const asked = () =>
    fixture.asaas.traffic.requests.filter((name) => name.endsWith('identificationField')).length;
  const before = asked();
  fixture.asaas.fault('500', { on: 'GET /payments/' });
  const { id, code } = await gateway.ensurePayment(fixture.newRequest({ method: 'BOLETO' }));
  expect(code).toBeNull();
  const line = (await gateway.readPayment(id))?.code;
  expect(line).toMatch(/^\d{47}$/);
  fixture.asaas.pay(id);
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
  const unset = fixture.gateway({ webhookToken: '' });
  expect(() => unset.readNotification({ 'asaas-access-token': '' }, body)).toThrow('token');
});
