import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  instantOf,
  presentPayment,
  reaisOf,
  statusOf,
} from '../../../src/adapters/payments/asaas/asaas.rules.ts';
import { type AsaasPayment, asaasPayment } from '../../../src/adapters/payments/asaas/schemas.ts';

const payment = (more: Record<string, unknown> = {}): AsaasPayment =>
  asaasPayment.parse({
    id: 'pay_1',
    status: 'PENDING',
    billingType: 'PIX',
    value: 50.01,
    invoiceUrl: 'https://example.com/i/1',
    ...more,
  });

const settled = { confirmedDate: '2026-08-01', clientPaymentDate: '2026-08-01', paymentDate: '2026-08-02' };

test.each([
  ['PENDING', 'PENDING'],
  ['AWAITING_RISK_ANALYSIS', 'PENDING'],
  ['AUTHORIZED', 'PENDING'],
  ['CONFIRMED', 'CONFIRMED'],
  ['RECEIVED', 'RECEIVED'],
  ['RECEIVED_IN_CASH', 'RECEIVED'],
  ['OVERDUE', 'OVERDUE'],
  ['DUNNING_REQUESTED', 'OVERDUE'],
  ['DUNNING_RECEIVED', 'RECEIVED'],
  ['REFUND_REQUESTED', 'RECEIVED'],
  ['REFUND_IN_PROGRESS', 'RECEIVED'],
  ['REFUNDED', 'REFUNDED'],
  ['CHARGEBACK_REQUESTED', 'CHARGEBACK'],
  ['CHARGEBACK_DISPUTE', 'CHARGEBACK'],
  ['AWAITING_CHARGEBACK_REVERSAL', 'CHARGEBACK'],
])('%s means %s', (status, meaning) => {
  expect(statusOf(payment({ status, ...settled }))).toBe(meaning);
});

test('an unknown status is rejected', () => {
  expect(() => payment({ status: 'SOMETHING_NEW' })).toThrow();
});

test('a pending refund leaves an unsettled payment confirmed', () => {
  const unsettled = { ...settled, paymentDate: null };
  expect(statusOf(payment({ status: 'REFUND_REQUESTED', ...unsettled }))).toBe('CONFIRMED');
});

test('deletion cancels open payments only', () => {
  for (const status of ['PENDING', 'OVERDUE']) {
    expect(statusOf(payment({ status, deleted: true }))).toBe('CANCELED');
  }
  for (const status of ['CONFIRMED', 'RECEIVED', 'REFUNDED']) {
    expect(statusOf(payment({ status, deleted: true }))).toBe(status);
  }
});

test('a lost chargeback stays one, and a reversed one can be refunded later', () => {
  const ended = (status: string) => payment({ status: 'REFUNDED', chargeback: { status } });
  expect(statusOf(ended('DISPUTE_LOST'))).toBe('CHARGEBACK');
  expect(statusOf(ended('REVERSED'))).toBe('REFUNDED');
});

test('only completed refunds count, and partial refunds of the whole amount are a full refund', () => {
  const refund = (status: string, value: number) => ({ status, value, dateCreated: '2026-08-03 10:28:40' });
  const partly = payment({
    status: 'RECEIVED',
    refunds: [refund('DONE', 20.1), refund('PENDING', 5), refund('CANCELLED', 7)],
  });
  expect(presentPayment(partly, null)).toMatchObject({ status: 'RECEIVED', refundedMicros: 20_100_000 });
  const wholly = payment({ status: 'RECEIVED', refunds: [refund('DONE', 20.1), refund('DONE', 29.91)] });
  expect(presentPayment(wholly, null)).toMatchObject({
    status: 'REFUNDED',
    refundedMicros: 50_010_000,
    refundedAt: new Date('2026-08-03T13:28:40Z'),
  });
});

test('late interest is not part of the total, and an underpayment is reported', () => {
  const late = payment({ status: 'RECEIVED', ...settled, value: 51.27, originalValue: 50.01 });
  expect(presentPayment(late, null)).toMatchObject({ status: 'RECEIVED', totalMicros: 50_010_000 });
  const short = payment({ status: 'RECEIVED', ...settled, value: 49, originalValue: 50.01 });
  expect(presentPayment(short, null)).toMatchObject({ status: 'RECEIVED', totalMicros: 49_000_000 });
});

test('dates are days in São Paulo, and money announced for a later date is not received yet', () => {
  const confirmed = payment({ status: 'CONFIRMED', ...settled, paymentDate: null, creditDate: '2026-09-01' });
  expect(presentPayment(confirmed, null)).toMatchObject({
    paidAt: new Date('2026-08-01T03:00:00Z'),
    receivedAt: null,
  });
  const received = payment({ status: 'RECEIVED', ...settled, creditDate: '2026-09-01' });
  expect(presentPayment(received, null).receivedAt).toEqual(new Date('2026-09-01T03:00:00Z'));
  expect(instantOf('2026-12-31 23:59:59')).toEqual(new Date('2027-01-01T02:59:59Z'));
});

test('every amount in centavos converts to the gateway’s format and back without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_00 }), (centavos) => {
      const micros = centavos * 10_000;
      const json = JSON.stringify({ value: reaisOf(micros) });
      expect(json).toMatch(/^\{"value":\d+(\.\d{1,2})?\}$/);
      const back = payment(JSON.parse(json) as Record<string, unknown>);
      expect(presentPayment(back, null).totalMicros).toBe(micros);
    }),
    { numRuns: 2_000 },
  );
});
