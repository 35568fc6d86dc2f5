import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { allowDestination } from '../../../../src/contexts/calls/placing/destination.rules.ts';
import { readPhone } from '../../../../src/platform/phone.ts';
import {
  ambiguous,
  emergencyAndShort,
  hostile,
  invalid,
  ordinary,
  premium,
  satellite,
  service,
} from './corpus.ts';

const decide = (called: string, countries: readonly string[]) =>
  allowDestination(readPhone(called), countries);

const brazil = ['BR'];
const everywhere = getCountries();

const checkNumber = (called: string, countries: readonly string[]): string => {
  const decision = decide(called, countries);
  return decision.ok ? decision.digits : decision.code;
};

/** Returns the rows whose result differs from `expected`. */
const findUnexpected = (rows: string[], expected: string, countries: readonly string[]): string[] =>
  rows.filter((called) => checkNumber(called, countries) !== expected);

test('the corpus has at least 200 distinct expensive or emergency numbers', () => {
  const rows = [...emergencyAndShort, ...service, ...premium, ...satellite];
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(200);
});

test('CALL-08 CALL-23 CALL-46 allows Brazilian fixed and mobile numbers in every notation', () => {
  for (const [called, digits] of ordinary) expect(decide(called, brazil)).toEqual({ ok: true, digits });
});

test('CALL-24 CALL-38 emergency, short and service numbers are not allowed, rather than invalid', () => {
  for (const countries of [brazil, everywhere]) {
    expect(findUnexpected(emergencyAndShort, 'DESTINATION_NOT_ALLOWED', countries)).toEqual([]);
    expect(findUnexpected(service, 'DESTINATION_NOT_ALLOWED', countries)).toEqual([]);
  }
});

test('CALL-38 premium, shared-cost and satellite numbers are not allowed in any country', () => {
  for (const countries of [brazil, everywhere]) {
    expect(findUnexpected(premium, 'DESTINATION_NOT_ALLOWED', countries)).toEqual([]);
    expect(findUnexpected(satellite, 'DESTINATION_NOT_ALLOWED', countries)).toEqual([]);
  }
});

test('CALL-19 CALL-38 other countries are not allowed until enabled, each separately', () => {
  const abroad = everywhere
    .filter((country) => country !== 'BR')
    .map((country) => ({ country, digits: exampleIn(country) }))
    .filter(({ digits }) => digits !== undefined) as { country: CountryCode; digits: string }[];
  expect(abroad.length).toBeGreaterThan(200);
  for (const { country, digits } of abroad) {
    const others = everywhere.filter((each) => each !== country);
    expect(checkNumber(digits, brazil), country).toBe('DESTINATION_NOT_ALLOWED');
    expect(checkNumber(digits, others), country).toBe('DESTINATION_NOT_ALLOWED');
    expect(checkNumber(digits, [country]), country).toBe(digits);
  }
  expect(checkNumber('5511987654321', ['PT'])).toBe('DESTINATION_NOT_ALLOWED');
  expect(checkNumber('5511987654321', [])).toBe('DESTINATION_NOT_ALLOWED');
});

/** Returns a mobile number that is detected as this country's, because some countries share their numbering plan. */
function exampleIn(country: CountryCode): string | undefined {
  const example = getExampleNumber(country, examples)?.number ?? '';
  return parsePhoneNumberFromString(example)?.country === country ? example.slice(1) : undefined;
}

test('CALL-24 numbers valid in no country are invalid', () => {
  expect(findUnexpected(invalid, 'VALIDATION_ERROR', everywhere)).toEqual([]);
});

test('CALL-24 CALL-46 ambiguous numbers are invalid, and the message names both', () => {
  expect(findUnexpected(ambiguous, 'VALIDATION_ERROR', everywhere)).toEqual([]);
  expect(decide('51 98765-4321', everywhere)).toMatchObject({
    message: expect.stringContaining('+51987654321 and +5551987654321'),
  });
});

test('CALL-24 anything but digits, a leading + and separators is invalid as a whole', () => {
  expect(findUnexpected(hostile, 'VALIDATION_ERROR', everywhere)).toEqual([]);
});

test('CALL-23 CALL-46 dials only digits of the input, in their order, or 55 before them', () => {
  const pieces = fc.constantFrom(
    '55',
    '11',
    '98765',
    '4321',
    '+',
    ' ',
    '-',
    '(',
    ')',
    '/',
    '.',
    '0',
    '190',
    '&',
    '@',
    '$',
    '٥',
  );
  const typed = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(typed, (called) => {
      const decision = decide(called, everywhere);
      if (!decision.ok) return;
      expect(decision.digits).toMatch(/^[1-9][0-9]{6,14}$/);
      const typed = called.replaceAll(/[ +().\-/]/g, '');
      expect([typed, `55${typed.replace(/^0/, '')}`]).toContain(decision.digits);
    }),
    { numRuns: 5_000 },
  );
});
