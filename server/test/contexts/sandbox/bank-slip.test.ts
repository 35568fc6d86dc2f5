import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bankSlipLine, printedLine } from '../../../src/contexts/sandbox/bank-slip.rules.ts';
import { readBarcode } from './read-slip.ts';

const slip = { number: 1042, totalMicros: 1_250_900_000, dueDate: '2026-11-20' };

test('the parser of this test reads a slip printed by a real bank', () => {
  expect(readBarcode('34191101213456788005871234570001616670000012345')).toBe(
    '34196166700000123451101234567880057123457000',
  );
});

test('the line has the non-existent bank 999, the amount, the due date and the number', () => {
  const barcode = readBarcode(bankSlipLine(slip));
  expect(barcode.slice(0, 4)).toBe('9999');
  expect(barcode.slice(5, 9)).toBe('1636');
  expect(barcode.slice(9, 19)).toBe('0000125090');
  expect(Number(barcode.slice(19))).toBe(1042);
});

test.each([
  ['2000-07-03', '1000'],
  ['2025-02-21', '9999'],
  ['2025-02-22', '1000'],
  ['2026-11-20', '1636'],
])('a due date of %s is encoded as %s', (dueDate, factor) => {
  expect(readBarcode(bankSlipLine({ ...slip, dueDate })).slice(5, 9)).toBe(factor);
});

test('every line has valid check digits', () => {
  const days = fc
    .integer({ min: 0, max: 8000 })
    .map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 40 }),
      fc.integer({ min: 1, max: 10_000_000 }),
      days,
      (number, centavos, dueDate) => {
        const line = bankSlipLine({ number, totalMicros: centavos * 10_000, dueDate });
        expect(Number(readBarcode(line).slice(9, 19))).toBe(centavos);
      },
    ),
  );
});

test('the line is printed in the usual groups', () => {
  expect(printedLine(bankSlipLine(slip))).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/);
});
