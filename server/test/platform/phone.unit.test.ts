import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import {
  canonicalDigits,
  contactReadings,
  isContactNumber,
  readPhone,
  searchedDigits,
  spellingsOf,
} from '../../src/platform/phone.ts';

/** Returns the digits of a number, the readings of an ambiguous one, or the kind of anything else. */
function read(text: string): string {
  const reading = readPhone(text);
  if (reading.kind === 'ambiguous') return reading.readings.join(' or ');
  return reading.kind === 'number' ? reading.digits : reading.kind;
}

describe('with country code', () => {
  it.each([
    ['5511987654321', '5511987654321'],
    ['+5511987654321', '5511987654321'],
    ['+55 (11) 98765-4321', '5511987654321'],
    ['(55) 11 98765-4321', '5511987654321'],
    ['+351 912 345 678', '351912345678'],
    ['+1 212 555 0100', '12125550100'],
    ['+47 32 22 12 34', '4732221234'],
  ])('CALL-23 CALL-46 reads %s as %s', (text, digits) => expect(read(text)).toBe(digits));

  it('CALL-46 takes precedence where nothing marks a Brazilian number', () => {
    expect(read('51987654321')).toBe('51987654321');
    expect(read('4732221234')).toBe('4732221234');
    expect(read('11987654321')).toBe('invalid');
  });
});

describe('Brazilian numbers with area code', () => {
  it.each([
    ['011987654321', '5511987654321'],
    ['0 11 98765-4321', '5511987654321'],
    ['(011) 98765-4321', '5511987654321'],
    ['(0 11) 3234-5678', '551132345678'],
    ['(11) 98765-4321', '5511987654321'],
    ['11 98765 4321', '5511987654321'],
    ['11.3234.5678', '551132345678'],
    ['(55) 3222-1234', '555532221234'],
    ['055987654321', '5555987654321'],
    ['051987654321', '5551987654321'],
    ['04732221234', '554732221234'],
  ])('CALL-46 reads %s as %s', (text, digits) => expect(read(text)).toBe(digits));

  it('CALL-46 parentheses enclose an area code, not a country code', () => {
    expect(read('(51) 98765-4321')).toBe('5551987654321');
    expect(read('(47) 3222-1234')).toBe('554732221234');
  });

  it.each([
    '0011987654321',
    '01511987654321',
    '0 15 11 98765-4321',
    '+011987654321',
    '+55 (0) 11 98765-4321',
  ])('CALL-24 CALL-46 does not read %s: international prefix, carrier code or two prefixes', (text) =>
    expect(read(text)).toBe('invalid'),
  );

  it.each(['98765-4321', '0 98765-4321', '(20) 98765-4321', '11 8765-432', '0', '(0)'])(
    'CALL-24 refuses %s, which is incomplete or in no numbering plan',
    (text) => expect(read(text)).toBe('invalid'),
  );
});

describe('tel: URIs', () => {
  it.each([
    ['tel:+5511987654321', '5511987654321'],
    ['tel:+55-11-98765-4321', '5511987654321'],
    ['TEL:+55(11)98765.4321', '5511987654321'],
    ['tel:11987654321', '5511987654321'],
    ['tel:011987654321', '5511987654321'],
    ['tel:51987654321;phone-context=+55', '5551987654321'],
    ['tel:051987654321;phone-context=+55', '5551987654321'],
    ['tel:912345678;phone-context=+351', '351912345678'],
    ['tel:11-98765-4321;phone-context=example.com', '5511987654321'],
    ['tel:+5511987654321;cpc=ordinary;x-source=crm', '5511987654321'],
    ['tel:190', 'special'],
  ])('CALL-46 reads %s as %s', (text, digits) => expect(read(text)).toBe(digits));

  it.each([
    'tel:',
    'tel:+',
    'tel:abc',
    'tel:+5511987654321;ext=12',
    'tel:+5511987654321;isub=1',
    'tel:+5511987654321;m-dial=1',
    'tel:+5511987654321;',
    'tel:+5511987654321;a="b"',
    'tel:+5511987654321\n',
    'tel:tel:+5511987654321',
    'sip:+5511987654321@example.com',
  ])('CALL-24 refuses %j: parameters must not change what is dialled', (text) =>
    expect(read(text)).toBe('invalid'),
  );
});

describe('ambiguous numbers', () => {
  it.each([
    ['51 98765-4321', '51987654321 or 5551987654321'],
    ['47 3222-1234', '4732221234 or 554732221234'],
    ['tel:51987654321', '51987654321 or 5551987654321'],
  ])('CALL-24 CALL-46 %s is ambiguous', (text, readings) => expect(read(text)).toBe(readings));

  it('CALL-46 every ambiguous number has one reading with +, and one with a leading 0', () => {
    const area = fc.integer({ min: 11, max: 99 });
    const subscriber = fc.oneof(
      fc.integer({ min: 20_000_000, max: 59_999_999 }),
      fc.integer({ min: 900_000_000, max: 999_999_999 }),
    );
    fc.assert(
      fc.property(area, subscriber, (code, number) => {
        const reading = readPhone(`${code} ${number}`);
        if (reading.kind !== 'ambiguous') return;
        expect(reading.readings).toEqual([`${code}${number}`, `55${code}${number}`]);
        expect(read(`+${code} ${number}`)).toBe(`${code}${number}`);
        expect(read(`0${code}${number}`)).toBe(`55${code}${number}`);
        expect(read(`(${code}) ${number}`)).toBe(`55${code}${number}`);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('emergency, short and service numbers', () => {
  it.each(['190', '0190', '55190', '5511190', '+55 190', '112', '911', '4004', '10331', '551052'])(
    'CALL-38 %s is a short code',
    (text) => expect(read(text)).toBe('special'),
  );

  it.each(['0800 729 0722', '08007290722', '5508007290722', '0300 123 4567', '0900-123-4567'])(
    'CALL-38 CALL-46 %s is a service number',
    (text) => expect(read(text)).toBe('special'),
  );

  it.each(['5511', '5551', '5511987', '55', '551'])(
    'CALL-24 %s is an incomplete number, not a short code',
    (text) => expect(read(text)).toBe('invalid'),
  );

  it('CALL-38 CALL-46 detects a 0800 number without its 0 as toll-free', () => {
    expect(readPhone('800 729 0722')).toMatchObject({ digits: '558007290722', type: 'TOLL_FREE' });
    expect(readPhone('558007290722')).toMatchObject({ digits: '558007290722', type: 'TOLL_FREE' });
  });
});

describe('properties', () => {
  const numbers = fc
    .constantFrom(...getCountries())
    .map((country) => getExampleNumber(country, examples)?.number.slice(1) ?? '')
    .filter((digits) => digits !== '');

  it('CALL-46 digits with country code are read as they are, with or without +', () => {
    fc.assert(
      fc.property(numbers, (digits) => {
        for (const text of [digits, `+${digits}`, `tel:+${digits}`]) expect(read(text)).toBe(digits);
      }),
    );
  });

  it('CALL-46 the digits read are those typed, or 55 and those after the leading 0', () => {
    const pieces = fc.constantFrom(
      '0',
      '11',
      '51',
      '55',
      '9',
      '98765',
      '4321',
      '3222',
      '-',
      ' ',
      '(',
      ')',
      '+',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        const reading = readPhone(text);
        if (reading.kind !== 'number') return;
        const typed = text.replaceAll(/\D/g, '');
        expect([typed, `55${typed.replace(/^0/, '')}`]).toContain(reading.digits);
        expect(read(reading.digits)).toBe(reading.digits);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('stored numbers', () => {
  it('canonical digits have a country code where there is one reading', () => {
    expect(canonicalDigits('011987654321')).toBe('5511987654321');
    expect(canonicalDigits('1133334444')).toBe('1133334444');
    expect(canonicalDigits('51 98765-4321')).toBe('51987654321');
    expect(canonicalDigits('anonymous')).toBeUndefined();
  });

  it('LIST-02 a search finds every reading of the text', () => {
    expect(searchedDigits('+55 11 98765-4321')).toEqual(['5511987654321']);
    expect(searchedDigits('(11) 98765-4321')).toEqual(['5511987654321']);
    expect(searchedDigits('51 98765-4321')).toEqual(['51987654321', '5551987654321']);
    expect(searchedDigits('5511987654321')).toEqual(['5511987654321']);
    expect(searchedDigits('011987654321')).toEqual(['011987654321', '5511987654321']);
    for (const text of ['1000', '', 'Ana']) expect(searchedDigits(text)).toEqual([text]);
  });

  it('USER-09 a contact number needs no mark, and may have an extension', () => {
    expect(contactReadings('11987654321')).toEqual(['5511987654321']);
    expect(contactReadings('51987654321')).toEqual(['51987654321', '5551987654321']);
    for (const text of ['0800 729 0722', '4004-1234', '(11) 3333-4444 ramal 12', '+1 212 555 0100 x12'])
      expect(isContactNumber(text), text).toBe(true);
    for (const text of ['', '123', '190', '+55', 'telefone', '55119876543210987'])
      expect(isContactNumber(text), text).toBe(false);
  });

  it('a Brazilian number is written with country code, area code, or leading 0', () => {
    expect(spellingsOf('5511987654321')).toEqual(['5511987654321', '11987654321', '011987654321']);
    expect(spellingsOf('351912345678')).toEqual(['351912345678']);
  });
});
