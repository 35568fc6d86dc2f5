import { expect, test } from 'vitest';
import { readDeck } from '../../../../src/contexts/billing/rates/rate-deck.rules.ts';
import { startOfDay } from '../../../../src/platform/time.ts';

const header = 'prefix,description,price_per_minute,minimum_seconds,step_seconds,free_seconds';

test('rejects a price with a decimal comma', () => {
  expect(() => readDeck(`${header}\n55,Brasil,0,12,30,6,3\n`)).toThrow(
    'Line 2: more columns than in the header. Use a decimal point in prices, not a comma.',
  );
  expect(() => readDeck(`${header}\n55,Brasil,"0,12",30,6,3\n`)).toThrow('must be reais such as 0.12');
});

test('rejects a misspelt column instead of treating it as missing', () => {
  expect(() => readDeck('prefix,price_per_minute,minimum_second\n55,0.12,60\n')).toThrow(
    'Line 1: unknown column minimum_second.',
  );
});

test('columns omitted at the end of a row have their defaults', () => {
  expect(readDeck(`${header}\n55,Brasil,0.12\n`)).toEqual([
    {
      prefix: '55',
      description: 'Brasil',
      pricePerMinuteMicros: 120_000,
      minimumSeconds: 30,
      stepSeconds: 6,
      freeSeconds: 3,
    },
  ]);
});

test('a price beyond the database maximum is an error of its line', () => {
  expect(readDeck('prefix,price_per_minute\n55,1000\n')).toHaveLength(1);
  expect(() => readDeck('prefix,price_per_minute\n55,1000.000001\n')).toThrow('Line 2: price_per_minute');
});

test('a day in Sao Paulo starts at its first moment, even at daylight saving changes', () => {
  for (const [day, moment] of [
    ['2026-12-01', '2026-12-01T03:00:00.000Z'],
    ['2018-02-17', '2018-02-17T02:00:00.000Z'],
    ['2018-02-18', '2018-02-18T03:00:00.000Z'],
    ['2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['2018-11-05', '2018-11-05T02:00:00.000Z'],
  ] as const)
    expect(startOfDay(day).toISOString()).toBe(moment);
});
