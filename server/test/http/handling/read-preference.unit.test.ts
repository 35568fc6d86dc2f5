import { expect, test } from 'vitest';
import { appliedPreference, chooseHandling } from '../../../src/http/handling/choose-handling.ts';
import { readPreference } from '../../../src/http/handling/read-preference.ts';

test.each([
  ['handling=lenient', 'lenient'],
  ['Handling = "Lenient"', 'lenient'],
  ['respond-async, wait=10, handling=strict', 'strict'],
  ['handling=lenient; some=parameter', 'lenient'],
  ['foo="a, handling=lenient", handling=strict', 'strict'],
  ['handling=strict, handling=lenient', 'strict'],
])('COMPAT-02 reads the first handling of Prefer: %s', (prefer, handling) => {
  expect(readPreference(prefer)).toBe(handling);
});

test.each([
  undefined,
  '',
  'lenient',
  'handling',
  'handling=',
  'handling=lenient-ish',
  'handling=other',
  'handling=lenient x',
  'wait=10; handling=lenient',
  'foo="handling=lenient"',
  'foo="a, handling=lenient',
  'not-handling=lenient',
])('COMPAT-02 ignores other preferences: %s', (prefer) => {
  expect(readPreference(prefer)).toBeUndefined();
});

test('COMPAT-02 ignores a Prefer header over 1 kB', () => {
  expect(readPreference(`${'x,'.repeat(600)}handling=lenient`)).toBeUndefined();
});

test('COMPAT-02 several Prefer headers count as one list', () => {
  expect(readPreference(['wait=10', 'handling=lenient'])).toBe('lenient');
});

test('COMPAT-02 Prefer precedes the account, and the console is always strict', () => {
  const facts = { preferred: undefined, ofAccount: undefined, isConsole: false };
  expect(chooseHandling(facts)).toBe('strict');
  expect(chooseHandling({ ...facts, ofAccount: 'lenient' })).toBe('lenient');
  expect(chooseHandling({ ...facts, preferred: 'strict', ofAccount: 'lenient' })).toBe('strict');
  expect(chooseHandling({ ...facts, preferred: 'lenient', ofAccount: 'strict' })).toBe('lenient');
  const inConsole = { preferred: 'lenient', ofAccount: 'lenient', isConsole: true } as const;
  expect(chooseHandling(inConsole)).toBe('strict');
});

test('COMPAT-02 reports the applied preference, and that a request was lenient', () => {
  expect(appliedPreference('strict', undefined)).toBeUndefined();
  expect(appliedPreference('strict', 'lenient')).toBeUndefined();
  expect(appliedPreference('strict', 'strict')).toBe('handling=strict');
  expect(appliedPreference('lenient', undefined)).toBe('handling=lenient');
});
