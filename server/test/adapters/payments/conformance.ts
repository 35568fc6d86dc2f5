import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  GatewayRefused,
  type PaymentGateway,
  type PaymentRequest,
  paymentMethods,
} from '../../../src/contexts/charges/gateway.ts';
import { parsePixCode } from './pix-code.ts';

/** A payment gateway, and controls for events at the gateway that the adapter does not cause. */
export interface GatewayHarness {
  gateway: PaymentGateway;
  /** A future day, as YYYY-MM-DD. */
  dueDate(): string;
  /** Pays a Pix payment or bank slip that is pending, overdue or cancelled. */
  pay(paymentId: string): Promise<void> | void;
  /** Refunds the whole amount. */
  refund(paymentId: string): Promise<void> | void;
  chargeback(paymentId: string): Promise<void> | void;
  /** Makes the payment overdue. */
  overdue(paymentId: string): Promise<void> | void;
  /** Returns a notification about this payment as the gateway sends it; header names in lower case. */
  notification(
    paymentId: string,
  ):
    | Promise<{ headers: Record<string, string>; body: unknown }>
    | { headers: Record<string, string>; body: unknown };
  stop(): Promise<void>;
}

/** Declares the tests that every payment gateway adapter must pass. */
export function gatewayConformance(name: string, start: () => Promise<GatewayHarness>) {
  let harness: GatewayHarness;
  let customerId: string;
  const account = {
    reference: randomUUID(),
    name: 'Padaria São João Ltda',
    cpfCnpj: '12ABC34501DE35',
    email: 'financeiro@example.com',
    phone: null,
    mobilePhone: '11987654321',
    additionalEmails: 'a@example.com,b@example.com',
  };

  beforeAll(async () => {
    harness = await start();
    ({ customerId } = await harness.gateway.ensureCustomer(account));
  });
  afterAll(() => harness?.stop());

  const request = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
    reference: randomUUID(),
    customerId,
    method: 'PIX',
    totalMicros: 123_450_000,
    dueDate: harness.dueDate(),
    description: 'Crédito de telefonia',
    ...more,
  });
  const make = (more: Partial<PaymentRequest> = {}) => harness.gateway.ensurePayment(request(more));
  const read = (paymentId: string) => harness.gateway.readPayment(paymentId);

  describe(`the ${name} gateway`, () => {
    test('creates one customer per account, however often it is requested', async () => {
      expect(customerId).not.toBe('');
      expect(await harness.gateway.ensureCustomer(account)).toEqual({ customerId });
      await harness.gateway.updateCustomer(customerId, {
        ...account,
        phone: '1133334444',
        additionalEmails: null,
      });
    });

    test('creates a pending payment', async () => {
      const wish = request();
      const payment = await harness.gateway.ensurePayment(wish);
      expect(payment).toMatchObject({
        reference: wish.reference,
        status: 'PENDING',
        totalMicros: 123_450_000,
        refundedMicros: 0,
        paidAt: null,
        receivedAt: null,
        refundedAt: null,
      });
      expect(URL.canParse(payment.link)).toBe(true);
      expect(await read(payment.id)).toEqual(payment);
    });

    test('creates one payment per reference, however often it is requested', async () => {
      const wish = request();
      const first = await harness.gateway.ensurePayment(wish);
      expect(await harness.gateway.ensurePayment(wish)).toEqual(first);
      expect((await make()).id).not.toBe(first.id);
    });

    test.each(paymentMethods)('accepts the payment method %s', async (method) => {
      expect(await make({ method })).toMatchObject({ status: 'PENDING' });
    });

    test.each([5_010_000, 10_100_000, 33_330_000, 1_234_560_000, 49_999_990_000])(
      'keeps a total of %i micros to the centavo',
      async (totalMicros) => {
        const payment = await make({ totalMicros });
        expect(payment.totalMicros).toBe(totalMicros);
        expect(await read(payment.id)).toMatchObject({ totalMicros });
      },
    );

    test('reports an unknown payment as not found', async () => {
      expect(await read('pay_0000000000000000')).toBeUndefined();
      await expect(harness.gateway.cancelPayment('pay_0000000000000000')).rejects.toThrow(GatewayRefused);
    });

    test('reports a paid payment, and creates no second one for its reference', async () => {
      const wish = request();
      const { id } = await harness.gateway.ensurePayment(wish);
      await harness.pay(id);
      const paid = await read(id);
      expect(paid).toMatchObject({ status: 'RECEIVED', refundedMicros: 0, refundedAt: null });
      expect(paid?.paidAt).toBeInstanceOf(Date);
      expect(paid?.receivedAt).toBeInstanceOf(Date);
      expect(await harness.gateway.ensurePayment(wish)).toMatchObject({ id, status: 'RECEIVED' });
    });

    test('reports a refund to the payer', async () => {
      const { id, totalMicros } = await make();
      await harness.pay(id);
      await harness.refund(id);
      const refunded = await read(id);
      expect(refunded).toMatchObject({ status: 'REFUNDED', refundedMicros: totalMicros });
      expect(refunded?.refundedAt).toBeInstanceOf(Date);
    });

    test('reports a chargeback', async () => {
      const { id } = await make();
      await harness.pay(id);
      await harness.chargeback(id);
      expect(await read(id)).toMatchObject({ status: 'CHARGEBACK', refundedMicros: 0 });
    });

    test('reports an overdue payment, and still accepts the money', async () => {
      const { id } = await make();
      await harness.overdue(id);
      expect(await read(id)).toMatchObject({ status: 'OVERDUE', paidAt: null });
      await harness.pay(id);
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('cancels a pending payment, idempotently', async () => {
      const { id } = await make();
      expect(await harness.gateway.cancelPayment(id)).toMatchObject({ id, status: 'CANCELED' });
      expect(await harness.gateway.cancelPayment(id)).toMatchObject({ id, status: 'CANCELED' });
      expect(await read(id)).toMatchObject({ status: 'CANCELED', paidAt: null });
    });

    test('cancels an overdue payment', async () => {
      const { id } = await make();
      await harness.overdue(id);
      expect(await harness.gateway.cancelPayment(id)).toMatchObject({ status: 'CANCELED' });
    });

    test('leaves a paid payment paid when it is cancelled', async () => {
      const { id } = await make();
      await harness.pay(id);
      expect(await harness.gateway.cancelPayment(id)).toMatchObject({ status: 'RECEIVED' });
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('reports money that arrives after the payment was cancelled', async () => {
      const { id } = await make();
      await harness.gateway.cancelPayment(id);
      await harness.pay(id);
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('returns a Pix code with the amount, and its image', async () => {
      const { id } = await make();
      const pix = await harness.gateway.readPix(id);
      expect(parsePixCode(pix.code)).toMatchObject({ '53': '986', '54': '123.45', '58': 'BR' });
      expect(Buffer.from(pix.imageBase64, 'base64').subarray(1, 4).toString('latin1')).toBe('PNG');
      expect(pix.expiresAt.getTime()).toBeGreaterThan(new Date(harness.dueDate()).getTime() - 86_400_000);
    });

    test('returns the line of a bank slip, and none for a Pix payment', async () => {
      expect((await make({ method: 'BOLETO' })).code).toMatch(/^\d{47}$/);
      expect((await make({ method: 'PIX' })).code).toBeNull();
    });

    test('reads its own notifications consistently and rejects forged ones', async () => {
      const { id } = await make();
      await harness.pay(id);
      const { headers, body } = await harness.notification(id);
      const event = harness.gateway.readNotification(headers, body);
      expect(event).toMatchObject({ paymentId: id });
      expect(event?.eventId).not.toBe('');
      expect(harness.gateway.readNotification(headers, body)).toEqual(event);
      expect(() => harness.gateway.readNotification({}, body)).toThrow(GatewayRefused);
      const forged = Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, `${value}0`]),
      );
      expect(() => harness.gateway.readNotification(forged, body)).toThrow(GatewayRefused);
    });
  });
}
