import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterReport,
  creditDue,
  isOpen,
  isPaid,
  nextCheck,
} from '../../../src/contexts/charges/charge.rules.ts';
import { chargeStatuses } from '../../../src/contexts/charges/gateway.ts';
import { dayInSaoPaulo, startOfDay } from '../../../src/platform/time.ts';

/** Every allowed change of status; an unchanged status is always allowed. A won chargeback is paid again. */
const allowed = new Set([
  'PENDING CONFIRMED',
  'PENDING RECEIVED',
  'PENDING OVERDUE',
  'PENDING CANCELED',
  'OVERDUE PENDING',
  'OVERDUE CONFIRMED',
  'OVERDUE RECEIVED',
  'OVERDUE CANCELED',
  'CONFIRMED RECEIVED',
  'CONFIRMED REFUNDED',
  'CONFIRMED CHARGEBACK',
  'RECEIVED REFUNDED',
  'RECEIVED CHARGEBACK',
  'CANCELED CONFIRMED',
  'CANCELED RECEIVED',
  'CHARGEBACK CONFIRMED',
  'CHARGEBACK RECEIVED',
]);

const pairs = chargeStatuses.flatMap((current) =>
  chargeStatuses.map((reported) => [current, reported] as const),
);

test.each(pairs)(
  'CHARGE-14 a charge that is %s and reported as %s makes only allowed changes',
  (current, reported) => {
    const expected = allowed.has(`${current} ${reported}`) ? reported : current;
    expect(afterReport(current, reported)).toBe(expected);
  },
);

describe('credit of a charge', () => {
  const charge = fc.record({
    amountMicros: fc.integer({ min: 1, max: 5e10 }),
    feeMicros: fc.integer({ min: 0, max: 1e9 }),
  });

  test('is amount and fee less refunds, at least 0, and 0 unless paid', () => {
    fc.assert(
      fc.property(charge, fc.constantFrom(...chargeStatuses), fc.nat(6e10), (paid, status, refunded) => {
        const due = creditDue(status, { ...paid, retainedMicros: 0 }, refunded);
        const total = paid.amountMicros + paid.feeMicros;
        expect(due.amountMicros + due.feeMicros).toBe(isPaid(status) ? Math.max(0, total - refunded) : 0);
        expect(due.amountMicros).toBeGreaterThanOrEqual(0);
        expect(due.feeMicros).toBeGreaterThanOrEqual(0);
        expect(due.feeMicros).toBeLessThanOrEqual(paid.feeMicros);
      }),
    );
  });
});

test('CHARGE-26 the start of the day in Sao Paulo is at most 25 hours before any moment in it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
      (at) => {
        const start = startOfDay(dayInSaoPaulo(at)).getTime();
        expect(start).toBeLessThanOrEqual(at.getTime());
        expect(at.getTime() - start).toBeLessThan(25 * 3_600_000);
        expect(dayInSaoPaulo(new Date(start - 1))).not.toBe(dayInSaoPaulo(at));
      },
    ),
  );
});

test('an open charge is always checked again, at the latest when it becomes overdue', () => {
  const createdAt = new Date('2026-11-10T12:00:00Z');
  for (const status of chargeStatuses) {
    for (let hours = 0; hours < 180 * 24; hours += 7) {
      const at = new Date(createdAt.getTime() + hours * 3_600_000);
      const next = nextCheck({ status, createdAt, dueDate: '2026-11-13' }, at);
      expect(next?.getTime()).toBeGreaterThan(at.getTime());
      const overdue = new Date('2026-11-14T03:00:00Z');
      if (isOpen(status) && status === 'PENDING' && at < overdue) {
        expect(next?.getTime()).toBeLessThanOrEqual(Math.max(overdue.getTime(), at.getTime()));
      }
    }
  }
});
