import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTaxId, personType, plainTaxId } from '../../../../src/contexts/charges/tax-id.rules.ts';
import { completeCnpj, completeCpf } from './tax-ids.ts';

const digits = '0123456789';
const alphanumeric = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const randomText = (characters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
/** Tests for a single repeated digit: such a number passes the checksum but is never issued. */
const isOneCharacter = (text: string) => new Set(text).size === 1;

test('the checksum of this test yields well-known valid numbers', () => {
  expect(completeCpf('529982247')).toBe('52998224725');
  expect(completeCnpj('112223330001')).toBe('11222333000181');
  expect(completeCnpj('12ABC34501DE')).toBe('12ABC34501DE35');
});

test('FIN-07 FIN-08 a CPF is valid only with its check digits', () => {
  fc.assert(
    fc.property(randomText(digits, 9), fc.integer({ min: 1, max: 99 }), (base, off) => {
      const right = completeCpf(base);
      fc.pre(!isOneCharacter(right));
      expect(isTaxId(right)).toBe(true);
      expect(personType(right)).toBe('FISICA');
      const wrong = (Number(right.slice(9)) + off) % 100;
      expect(isTaxId(base + String(wrong).padStart(2, '0'))).toBe(false);
    }),
  );
});

test.each([
  ['digits', digits],
  ['digits and letters', alphanumeric],
])('FIN-07 FIN-08 FIN-09 a CNPJ of %s is valid only with its check digits', (_, characters) => {
  fc.assert(
    fc.property(randomText(characters, 12), fc.integer({ min: 1, max: 99 }), (base, off) => {
      const right = completeCnpj(base);
      fc.pre(!isOneCharacter(base));
      expect(isTaxId(right)).toBe(true);
      expect(personType(right)).toBe('JURIDICA');
      const wrong = (Number(right.slice(12)) + off) % 100;
      expect(isTaxId(base + String(wrong).padStart(2, '0'))).toBe(false);
    }),
  );
});

test('FIN-08 anything else is not a tax id', () => {
  for (const text of [
    '',
    '1',
    '00000000000',
    '11111111111',
    '00000000000000',
    '5299822472',
    '529982247250',
    '112223330001811',
    '12ABC34501DE3X',
    '52998224ABC',
    'ÁBC34501DE3512',
    '１2998224725',
  ]) {
    expect(isTaxId(plainTaxId(text))).toBe(false);
  }
});

test('FIN-09 accepts separators and lower case', () => {
  for (const text of ['529.982.247-25', ' 529 982 247 25 ', '11.222.333/0001-81', '12.abc.345/01de-35']) {
    expect(isTaxId(plainTaxId(text))).toBe(true);
  }
  expect(plainTaxId('12.abc.345/01de-35')).toBe('12ABC34501DE35');
});
