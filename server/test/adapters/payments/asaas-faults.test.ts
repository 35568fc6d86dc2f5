import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../../simulator/asaas/index.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
} from '../../../src/contexts/charges/gateway.ts';
import { type AsaasFixture, buildCustomer, startFakeAsaas } from './fake-asaas.ts';

let fixture: AsaasFixture;
let gateway: PaymentGateway;
/** Times out after 1 s instead of the default 6 s. */
let fastTimeout: PaymentGateway;
beforeAll(async () => {
  fixture = await startFakeAsaas();
  gateway = fixture.gateway();
  fastTimeout = fixture.gateway({ timeoutMs: 1_000 });
});
afterEach(() => fixture.asaas.heal());
afterAll(() => fixture.stop());

const listPayments = (reference: string) =>
  fixture.asaas.payments().filter((payment) => payment.externalReference === reference);
const listCustomers = (reference: string) =>
  fixture.asaas.customers().filter((customer) => customer.externalReference === reference);

const lostAnswers: Fault[] = [
  'silence-after-effect',
  'hang-up-after-effect',
  '500-after-effect',
  'broken-json-after-effect',
];
const lostRequests: Fault[] = ['silence', 'hang-up', '500'];

test.each(lostAnswers)(
  '%s: finds the payment that was created, and does not create it twice',
  async (fault) => {
    const request = fixture.newRequest();
    fixture.asaas.fault(fault, { on: 'POST /payments' });
    const payment = await fastTimeout.ensurePayment(request);
    expect(listPayments(request.reference)).toMatchObject([{ id: payment.id }]);
    expect(await gateway.ensurePayment(request)).toEqual(payment);
  },
);

test.each(lostAnswers)(
  '%s: finds the customer that was created, and does not create it twice',
  async (fault) => {
    const reference = randomUUID();
    fixture.asaas.fault(fault, { on: 'POST /customers' });
    const { customerId } = await fastTimeout.ensureCustomer(buildCustomer(reference));
    expect(listCustomers(reference)).toMatchObject([{ id: customerId }]);
  },
);

test.each(lostRequests)('%s: creates the payment on the next request', async (fault) => {
  const request = fixture.newRequest();
  fixture.asaas.fault(fault, { on: 'POST /payments' });
  await expect(fastTimeout.ensurePayment(request)).rejects.toThrow(GatewayUnavailable);
  expect(listPayments(request.reference)).toHaveLength(0);
  await fastTimeout.ensurePayment(request);
  expect(listPayments(request.reference)).toHaveLength(1);
});

test('a lost response followed by a failed search leaves the payment to be found next time', async () => {
  const request = fixture.newRequest();
  fixture.asaas.meanwhile('POST /payments', () => fixture.asaas.fault('500', { on: 'GET /payments' }));
  fixture.asaas.fault('500-after-effect', { on: 'POST /payments' });
  await expect(gateway.ensurePayment(request)).rejects.toThrow(GatewayUnavailable);
  const { id } = await gateway.ensurePayment(request);
  expect(listPayments(request.reference)).toMatchObject([{ id }]);
});

test('a payment that appears after the search is found next time', async () => {
  const request = fixture.newRequest();
  fixture.asaas.fault('504-effect-later', { on: 'POST /payments' });
  await expect(gateway.ensurePayment(request)).rejects.toThrow(GatewayUnavailable);
  fixture.asaas.land();
  const { id } = await gateway.ensurePayment(request);
  expect(listPayments(request.reference)).toMatchObject([{ id }]);
});

test.each(lostAnswers)('%s: a payment whose deletion got no response is cancelled', async (fault) => {
  const { id } = await gateway.ensurePayment(fixture.newRequest());
  fixture.asaas.fault(fault, { on: 'DELETE /payments' });
  expect(await fastTimeout.cancelPayment(id)).toMatchObject({ status: 'CANCELED' });
});

test('a deletion that did not reach the gateway is reported, and works the next time', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest());
  fixture.asaas.fault('500', { on: 'DELETE /payments' });
  await expect(gateway.cancelPayment(id)).rejects.toThrow(GatewayUnavailable);
  expect(await gateway.readPayment(id)).toMatchObject({ status: 'PENDING' });
  expect(await gateway.cancelPayment(id)).toMatchObject({ status: 'CANCELED' });
});

test('a payment that is paid while it is being cancelled stays paid', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest());
  fixture.asaas.meanwhile('DELETE /payments', () => fixture.asaas.pay(id));
  expect(await gateway.cancelPayment(id)).toMatchObject({ status: 'RECEIVED' });
  expect(fixture.asaas.payments().find((payment) => payment.id === id)?.deleted).toBe(false);
});

test('a payment that the gateway will not delete is rejected, not reported as cancelled', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest({ method: 'CREDIT_CARD' }));
  fixture.asaas.turn(id, 'AWAITING_RISK_ANALYSIS');
  await expect(gateway.cancelPayment(id)).rejects.toThrow('A cobrança não pode ser removida.');
});

test('a rejection carries the gateway’s message and is not an outage', async () => {
  const refused = gateway.ensurePayment(fixture.newRequest({ totalMicros: 4_990_000 }));
  await expect(refused).rejects.toThrow(GatewayRefused);
  await expect(refused).rejects.toThrow('O valor mínimo da cobrança é R$ 5,00.');
  await expect(gateway.readPix('pay_0')).rejects.toThrow(GatewayRefused);
});

test('a rejected API key is reported as an outage, not as a rejected payment', async () => {
  const unauthorized = fixture.gateway({ apiKey: 'another' });
  await expect(unauthorized.ensurePayment(fixture.newRequest())).rejects.toThrow(GatewayUnavailable);
  await expect(unauthorized.readPayment('pay_1')).rejects.toThrow('A chave de API informada é inválida.');
});

test('errors never contain the API key', async () => {
  const failures = await Promise.allSettled([
    fixture.gateway({ apiKey: 'very-secret' }).readPayment('pay_1'),
    fixture.gateway({ apiKey: 'very-secret', baseUrl: 'http://127.0.0.1:1/v3' }).readPayment('pay_1'),
  ]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(GatewayUnavailable) });
    expect(JSON.stringify(failure) + String((failure as PromiseRejectedResult).reason.stack)).not.toContain(
      'very-secret',
    );
  }
});

test('after 429 nothing is sent until the Retry-After time has passed', async () => {
  let now = new Date('2026-08-03T12:00:00Z');
  const patient = fixture.gateway({ clock: { now: () => now } });
  const request = fixture.newRequest();
  fixture.asaas.fault('429', { on: 'POST /payments' });
  await expect(patient.ensurePayment(request)).rejects.toMatchObject({
    name: 'GatewayUnavailable',
    retryAfterSeconds: 30,
  });
  const sent = fixture.asaas.traffic.requests.length;
  now = new Date('2026-08-03T12:00:20Z');
  await expect(patient.ensurePayment(request)).rejects.toMatchObject({ retryAfterSeconds: 10 });
  expect(fixture.asaas.traffic.requests).toHaveLength(sent);
  now = new Date('2026-08-03T12:00:30Z');
  await patient.ensurePayment(request);
  expect(listPayments(request.reference)).toHaveLength(1);
});

test('failed reads are outages, and never report a payment as unknown', async () => {
  const { id } = await gateway.ensurePayment(fixture.newRequest());
  for (const fault of ['500', 'hang-up', 'broken-json-after-effect', '401'] as const) {
    fixture.asaas.fault(fault, { on: 'GET /payments' });
    await expect(gateway.readPayment(id)).rejects.toThrow(GatewayUnavailable);
  }
  expect(await gateway.readPayment(id)).toMatchObject({ id });
});
