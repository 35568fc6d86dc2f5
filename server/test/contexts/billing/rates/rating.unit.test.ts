import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainPrice } from '../../../../src/contexts/billing/rates/price.rules.ts';
import {
  affordableSeconds,
  billableSeconds,
  coveredSeconds,
  prefixesOf,
  priceMicros,
  type Rate,
  wholeSteps,
} from '../../../../src/contexts/billing/rates/rating.rules.ts';
import { settle } from '../ledger-model/settlement.ts';

const maxPriceMicros = 1_000_000_000;
const daySeconds = 86_400;

const rates: fc.Arbitrary<Rate> = fc.record({
  pricePerMinuteMicros: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 0, max: maxPriceMicros }),
  ),
  minimumSeconds: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 0, max: 3600 }),
  ),
  stepSeconds: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 3600 })),
  freeSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 3600 })),
});
const seconds = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: daySeconds }));
const ordinary: Rate = { pricePerMinuteMicros: 300_000, minimumSeconds: 30, stepSeconds: 6, freeSeconds: 3 };

/** Computes the same rounding with big integers, directly from its definition. */
function exactPrice(billedSeconds: number, pricePerMinuteMicros: number): bigint {
  const [amount, unit] = [BigInt(billedSeconds) * BigInt(pricePerMinuteMicros), 6000n];
  const below = amount / unit;
  const [toBelow, toAbove] = [amount - below * unit, (below + 1n) * unit - amount];
  const isUp = toAbove < toBelow || (toAbove === toBelow && below % 2n === 1n);
  return (below + (isUp ? 1n : 0n)) * 100n;
}

test('LEDGER-04 a price is exact and rounded half-even to R$ 0.0001', () => {
  fc.assert(
    fc.property(rates, seconds, ({ pricePerMinuteMicros }, billed) => {
      const price = priceMicros({ ...ordinary, pricePerMinuteMicros }, billed);
      expect(BigInt(price)).toBe(exactPrice(billed, pricePerMinuteMicros));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  [3_000, 1, 0],
  [9_000, 1, 200],
  [15_000, 1, 200],
  [21_000, 1, 400],
  [3_001, 1, 100],
  [2_999, 1, 0],
])('LEDGER-04 %i micros per minute for %i s round half-even to %i', (perMinute, billed, price) => {
  expect(priceMicros({ ...ordinary, pricePerMinuteMicros: perMinute }, billed)).toBe(price);
});

test('a longer call never costs less', () => {
  fc.assert(
    fc.property(rates, seconds, seconds, (rate, one, other) => {
      const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];
      expect(billableSeconds(rate, shorter)).toBeLessThanOrEqual(billableSeconds(rate, longer));
      expect(priceMicros(rate, shorter)).toBeLessThanOrEqual(priceMicros(rate, longer));
    }),
  );
});

test('LEDGER-10 30+6 bills nothing up to 3 s, 30 s up to 30 s, then whole steps of 6 s', () => {
  for (let used = 0; used <= 600; used += 1) {
    const expected = used <= 3 ? 0 : used <= 30 ? 30 : 30 + Math.ceil((used - 30) / 6) * 6;
    expect(billableSeconds(ordinary, used)).toBe(expected);
  }
  expect([0, 3, 4, 30, 31, 36, 37].map((used) => billableSeconds(ordinary, used))).toEqual([
    0, 0, 30, 30, 36, 36, 42,
  ]);
});

test('funded seconds can be billed to the last second', () => {
  fc.assert(
    fc.property(rates, seconds, (rate, requested) => {
      const funded = wholeSteps(rate, requested);
      expect(funded).toBeGreaterThanOrEqual(Math.max(requested, 1));
      expect(billableSeconds(rate, funded)).toBe(funded);
      expect(wholeSteps(rate, funded)).toBe(funded);
    }),
  );
});

test('LEDGER-14 bills what a call used, and never more than was funded', () => {
  fc.assert(
    fc.property(rates, seconds, seconds, (rate, requested, used) => {
      const funded = wholeSteps(rate, requested);
      const settlement = settle(rate, funded, used);
      expect(settlement.billedSeconds).toBeLessThanOrEqual(funded);
      expect(settlement.priceMicros).toBeLessThanOrEqual(priceMicros(rate, funded));
      expect(settlement.priceMicros).toBe(priceMicros(rate, settlement.billedSeconds));
      if (used <= funded) expect(settlement.billedSeconds).toBe(billableSeconds(rate, used));
    }),
  );
});

test('LEDGER-14 remaining credit buys every whole step it covers and no more', () => {
  fc.assert(
    fc.property(
      rates,
      seconds,
      fc.integer({ min: -1_000, max: 50_000_000 }),
      (rate, requested, available) => {
        const funded = wholeSteps(rate, requested);
        const reached = affordableSeconds(rate, funded, available);
        const more = (to: number) => priceMicros(rate, to) - priceMicros(rate, funded);
        expect((reached - funded) % rate.stepSeconds).toBe(0);
        expect(more(reached)).toBeLessThanOrEqual(Math.max(available, 0));
        const isFurthest = reached - funded >= daySeconds || available < 0;
        if (!isFurthest) expect(more(reached + rate.stepSeconds)).toBeGreaterThan(available);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('LEDGER-11 the price can be recomputed from its explanation alone', () => {
  fc.assert(
    fc.property(rates, seconds, seconds, (rate, requested, used) => {
      const fundedSeconds = wholeSteps(rate, requested);
      const explained = explainPrice(
        {
          call: {
            callId: 'a call',
            destination: '5511987654321',
            deckName: 'a deck',
            prefix: '5511',
            rate,
            fundedSeconds,
            settlement: settle(rate, fundedSeconds, used),
          },
          lines: [],
        },
        [],
      );
      const { minimumSeconds: minimum, stepSeconds: step, freeSeconds: free } = explained.increments;
      const duration = explained.duration ?? -1;
      const steps = Math.ceil(Math.max(duration - minimum, 0) / step);
      const billed = duration <= free ? 0 : Math.min(minimum + steps * step, explained.fundedSeconds);
      expect(explained.billedDuration).toBe(billed);
      const price = exactPrice(billed, Math.round(explained.minutePrice * 1e6));
      expect(explained.callPrice).toBe(Number(price) / 1e6);
    }),
  );
});

test('LEDGER-09 lists all prefixes of a number, up to 15 digits', () => {
  expect(prefixesOf('5511')).toEqual(['5', '55', '551', '5511']);
  expect(prefixesOf('1234567890123456789')).toHaveLength(15);
  expect(prefixesOf('')).toEqual([]);
});

test.each([
  [98_780_000, 60_000, 1646],
  [10_000_000_000, 60_000, 166_666],
  [29_999, 60_000, 0],
  [60_000, 60_000, 1],
])('%d micro-reais cover, at %d per minute, %d minutes', (availableMicros, pricePerMinuteMicros, minutes) => {
  const rate = { ...ordinary, pricePerMinuteMicros };
  expect(Math.floor(coveredSeconds(rate, availableMicros) / 60)).toBe(minutes);
});

test('a new call is covered for as long as the balance pays and not one step longer', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: maxPriceMicros * 100 }), (rate, availableMicros) => {
      const covered = coveredSeconds(rate, availableMicros);
      const first = wholeSteps(rate, 1);
      if (covered > 0) expect(priceMicros(rate, covered)).toBeLessThanOrEqual(availableMicros);
      const next = covered === 0 ? first : covered + rate.stepSeconds;
      if (rate.pricePerMinuteMicros > 0) expect(priceMicros(rate, next)).toBeGreaterThan(availableMicros);
    }),
  );
});
