import { expect, test } from 'vitest';
import { nameIgnored } from '../../../src/http/handling/name-ignored.ts';

test('COMPAT-02 lists names, encoded for a header', () => {
  expect(nameIgnored(['ativo'])).toBe('ativo');
  expect(nameIgnored(['ativo', 'extensions.0.cor', 'é, "x"\r\nSet-Cookie: a', '\ud800'])).toBe(
    'ativo, extensions.0.cor, %C3%A9%2C%20%22x%22%0D%0ASet-Cookie%3A%20a, %EF%BF%BD',
  );
});

test('COMPAT-02 keeps whole names within 1 kB, and marks what was left out', () => {
  const names = Array.from({ length: 500 }, (_, index) => `unknown-${index}`);
  const text = nameIgnored(names);
  expect(text.length).toBeLessThanOrEqual(1_024);
  expect(text.length).toBeGreaterThan(1_000);
  const listed = text.split(', ');
  expect(listed.at(-1)).toBe('...');
  expect(names.slice(0, listed.length - 1)).toEqual(listed.slice(0, -1));
  expect(nameIgnored(['x'.repeat(1_024)])).toBe('x'.repeat(1_024));
  expect(nameIgnored(['x'.repeat(1_025)])).toBe('...');
  expect(nameIgnored(['x'.repeat(1_020), 'y'])).toBe('...');
  expect(nameIgnored(['x'.repeat(1_019), 'longer'])).toBe(`${'x'.repeat(1_019)}, ...`);
});
