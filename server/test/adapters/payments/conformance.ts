import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  GatewayRefused,
  type PaymentGateway,
  type PaymentRequest,
  paymentMethods,
} from '../../../src/contexts/charges/gateway.ts';
import { parsePixCode } from './pix-code.ts';

/** A gateway together with what happens to payments outside of it. */
export interface GatewayWorld {
  gateway: PaymentGateway;
  /** A day that is still to come, as YYYY-MM-DD. */
  dueDate(): string;
  /** The payer pays an instant payment or bank slip, be the payment pending, overdue or cancelled. */
  pay(paymentId: string): Promise<void> | void;
  /** All of the money goes back. */
  refund(paymentId: string): Promise<void> | void;
  chargeback(paymentId: string): Promise<void> | void;
  /** The due date passes. */
  overdue(paymentId: string): Promise<void> | void;
  /** A notification about this payment, as the gateway sends it; header names in lower case. */
  notification(
    paymentId: string,
  ):
    | Promise<{ headers: Record<string, string>; body: unknown }>
    | { headers: Record<string, string>; body: unknown };
  stop(): Promise<void>;
}

/** What every payment gateway must do, whoever is behind it. */
export function gatewayConformance(name: string, start: () => Promise<GatewayWorld>) {
  let world: GatewayWorld;
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
    world = await start();
    ({ customerId } = await world.gateway.ensureCustomer(account));
  });
  afterAll(() => world?.stop());

  const request = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
    reference: randomUUID(),
    customerId,
    method: 'PIX',
    totalMicros: 123_450_000,
    dueDate: world.dueDate(),
    description: 'Crédito de telefonia',
    ...more,
  });
  const make = (more: Partial<PaymentRequest> = {}) => world.gateway.ensurePayment(request(more));
  const read = (paymentId: string) => world.gateway.readPayment(paymentId);

  describe(`the ${name} gateway`, () => {
    test('makes one customer of an account, however often it is asked', async () => {
      expect(customerId).not.toBe('');
      expect(await world.gateway.ensureCustomer(account)).toEqual({ customerId });
      await world.gateway.updateCustomer(customerId, {
        ...account,
        phone: '1133334444',
        additionalEmails: null,
      });
    });

    test('makes a payment that waits to be paid', async () => {
      const wish = request();
      const payment = await world.gateway.ensurePayment(wish);
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

    test('makes one payment of a reference, however often it is asked, and another of another', async () => {
      const wish = request();
      const first = await world.gateway.ensurePayment(wish);
      expect(await world.gateway.ensurePayment(wish)).toEqual(first);
      expect((await make()).id).not.toBe(first.id);
    });

    test.each(paymentMethods)('takes the payment method %s', async (method) => {
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

    test('does not know a payment that nobody made', async () => {
      expect(await read('pay_0000000000000000')).toBeUndefined();
      await expect(world.gateway.cancelPayment('pay_0000000000000000')).rejects.toThrow(GatewayRefused);
    });

    test('tells that a payment was paid, and makes no second one of its reference', async () => {
      const wish = request();
      const { id } = await world.gateway.ensurePayment(wish);
      await world.pay(id);
      const paid = await read(id);
      expect(paid).toMatchObject({ status: 'RECEIVED', refundedMicros: 0, refundedAt: null });
      expect(paid?.paidAt).toBeInstanceOf(Date);
      expect(paid?.receivedAt).toBeInstanceOf(Date);
      expect(await world.gateway.ensurePayment(wish)).toMatchObject({ id, status: 'RECEIVED' });
    });

    test('tells that the money went back to the payer', async () => {
      const { id, totalMicros } = await make();
      await world.pay(id);
      await world.refund(id);
      const refunded = await read(id);
      expect(refunded).toMatchObject({ status: 'REFUNDED', refundedMicros: totalMicros });
      expect(refunded?.refundedAt).toBeInstanceOf(Date);
    });

    test('tells that the payer took the money back', async () => {
      const { id } = await make();
      await world.pay(id);
      await world.chargeback(id);
      expect(await read(id)).toMatchObject({ status: 'CHARGEBACK', refundedMicros: 0 });
    });

    test('tells that a payment is overdue, and still takes the money', async () => {
      const { id } = await make();
      await world.overdue(id);
      expect(await read(id)).toMatchObject({ status: 'OVERDUE', paidAt: null });
      await world.pay(id);
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('cancels a pending payment, and cancels it again', async () => {
      const { id } = await make();
      expect(await world.gateway.cancelPayment(id)).toMatchObject({ id, status: 'CANCELED' });
      expect(await world.gateway.cancelPayment(id)).toMatchObject({ id, status: 'CANCELED' });
      expect(await read(id)).toMatchObject({ status: 'CANCELED', paidAt: null });
    });

    test('cancels an overdue payment', async () => {
      const { id } = await make();
      await world.overdue(id);
      expect(await world.gateway.cancelPayment(id)).toMatchObject({ status: 'CANCELED' });
    });

    test('leaves a paid payment paid when it is cancelled', async () => {
      const { id } = await make();
      await world.pay(id);
      expect(await world.gateway.cancelPayment(id)).toMatchObject({ status: 'RECEIVED' });
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('tells of money that comes after the payment was cancelled', async () => {
      const { id } = await make();
      await world.gateway.cancelPayment(id);
      await world.pay(id);
      expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    });

    test('gives a PIX code with the amount and its picture', async () => {
      const { id } = await make();
      const pix = await world.gateway.readPix(id);
      expect(parsePixCode(pix.code)).toMatchObject({ '53': '986', '54': '123.45', '58': 'BR' });
      expect(Buffer.from(pix.imageBase64, 'base64').subarray(1, 4).toString('latin1')).toBe('PNG');
      expect(pix.expiresAt.getTime()).toBeGreaterThan(new Date(world.dueDate()).getTime() - 86_400_000);
    });

    test('gives the line of a bank slip, and none to an instant payment', async () => {
      expect((await make({ method: 'BOLETO' })).code).toMatch(/^\d{47}$/);
      expect((await make({ method: 'PIX' })).code).toBeNull();
    });

    test('reads its own notifications the same way every time, and no forged ones', async () => {
      const { id } = await make();
      await world.pay(id);
      const { headers, body } = await world.notification(id);
      const event = world.gateway.readNotification(headers, body);
      expect(event).toMatchObject({ paymentId: id });
      expect(event?.eventId).not.toBe('');
      expect(world.gateway.readNotification(headers, body)).toEqual(event);
      expect(() => world.gateway.readNotification({}, body)).toThrow(GatewayRefused);
      const forged = Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, `${value}0`]),
      );
      expect(() => world.gateway.readNotification(forged, body)).toThrow(GatewayRefused);
    });
  });
}
