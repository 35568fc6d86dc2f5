import { expect, test } from 'vitest';
import { parseAmount } from '../src/shared/forms/parse-amount.ts';

test.each([
  ['50', 50],
  ['0', 0],
  ['0,5', 0.5],
  ['12.34', 12.34],
  ['12,34', 12.34],
  ['1.000', 1_000],
  ['1,000', 1_000],
  ['1.500', 1_500],
  ['12.345.678', 12_345_678],
  ['1.000,50', 1_000.5],
  ['1,000.50', 1_000.5],
  ['1000,5', 1_000.5],
  ['R$ 1.000,00', 1_000],
])('parses %s as %d', (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test.each(['', 'cem', '-5', '1,2,3', '1.00.000', '1.0000', '0.125', '1.000.50', '12,'])(
  'rejects %j as an amount',
  (text) => {
    expect(parseAmount(text)).toBe(-1);
  },
);
