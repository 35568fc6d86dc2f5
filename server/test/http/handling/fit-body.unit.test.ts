import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { convertScalar } from '../../../src/http/handling/convert-scalar.ts';
import { fitBody } from '../../../src/http/handling/fit-body.ts';
import { fitQuery } from '../../../src/http/handling/fit-query.ts';
import type { Handling } from '../../../src/platform/caller.ts';
import { emailText, optionalId, requestBody } from '../../../src/platform/schemas.ts';

const fitTo = (schema: z.ZodType, body: unknown, method = 'POST', handling: Handling = 'strict') =>
  fitBody(schema, body, { method, handling });

test('COMPAT-03 every exact number survives the conversion to a string and back', () => {
  const exact = fc.oneof(
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100),
  );
  fc.assert(
    fc.property(exact, (number) => {
      expect(convertScalar(z.number(), String(number))).toBe(number);
      expect(convertScalar(z.string(), number)).toBe(String(number));
    }),
  );
});

test('COMPAT-03 no conversion changes a value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.maxSafeInteger(), fc.bigInt().map(String)), (given) => {
      const types = [z.string(), z.number(), z.int(), z.boolean(), z.literal([0, 1, true, false])];
      for (const type of types) {
        const converted = convertScalar(type, given);
        // Adding 0 turns -0, whose text is "0", into 0.
        if (converted !== given) expect(Number(converted) + 0).toBe(given === 'true' ? 1 : Number(given) + 0);
      }
    }),
  );
});

test('COMPAT-03 the text of -0 is "0"', () => {
  expect(convertScalar(z.string(), -0)).toBe('0');
});

test.each(['12abc', ' 12', '12 ', '1e3', '0x10', '1,5', '+5', '.5', '5.', '007', 'NaN', 'Infinity', '--1'])(
  'COMPAT-03 does not read %j as a number',
  (text) => {
    expect(convertScalar(z.number(), text)).toBe(text);
  },
);

test('COMPAT-03 refuses to lose digits, in both directions', () => {
  expect(convertScalar(z.number(), '9007199254740993')).toBe('9007199254740993');
  expect(convertScalar(z.number(), '0.12345678901234567')).toBe('0.12345678901234567');
  for (const number of [9_007_199_254_740_992, 1e21, 1e-7, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY])
    expect(convertScalar(z.string(), number)).toBe(number);
});

test('COMPAT-03 a boolean is read from "true" and "false" only', () => {
  expect(convertScalar(z.boolean(), 'true')).toBe(true);
  expect(convertScalar(z.boolean(), 'false')).toBe(false);
  for (const other of ['TRUE', 'yes', '1', '0', '', 1, 0])
    expect(convertScalar(z.boolean(), other)).toBe(other);
});

test('COMPAT-03 a choice is found by its text', () => {
  const flag = z.literal([0, 1, true, false]);
  const read = (type: z.ZodType, values: unknown[]) => values.map((each) => convertScalar(type, each));
  expect(read(flag, ['0', '1', 'true', 'false', 1, true])).toEqual([0, 1, true, false, 1, true]);
  expect(read(flag, ['2', 2, '', 'True'])).toEqual(['2', 2, '', 'True']);
  expect(read(z.enum(['5', 'A']), [5, 'A', 'a', 6])).toEqual(['5', 'A', 'a', 6]);
});

test('COMPAT-03 a field with several types, and anything but a scalar, stays as it is', () => {
  const either = z.union([z.string(), z.number()]);
  expect([convertScalar(either, 5), convertScalar(either, '5')]).toEqual([5, '5']);
  const list = [5];
  expect(convertScalar(z.string(), list)).toBe(list);
  expect(convertScalar(z.string(), true)).toBe(true);
  expect(convertScalar(emailText, 5)).toBe('5');
});

const body = requestBody(
  {
    id: optionalId('The thing.', 'thing'),
    name: z.string().min(1),
    count: z.int().default(3),
    note: z.string().nullish(),
    free: z.record(z.string(), z.unknown()).optional(),
    rows: z.array(requestBody({ ramal: z.string(), size: z.number().optional() })).optional(),
  },
  ['created'],
);

test('COMPAT-03 null and "" of an optional field are absent in a creation, and stay in a required one', () => {
  for (const empty of [null, ''])
    expect(fitTo(body, { name: empty, count: empty, free: empty, created: empty }).body).toEqual({
      name: empty,
    });
  expect(fitTo(body, { rows: [{ ramal: 7, size: '' }] }).body).toEqual({ rows: [{ ramal: '7' }] });
});

test('COMPAT-03 in a change they clear a field that can be cleared, and stay in any other', () => {
  for (const empty of [null, ''])
    expect(fitTo(body, { id: 5, name: empty, note: empty, count: empty }, 'PATCH').body).toEqual({
      ...{ id: 5, name: empty, note: null, count: empty },
    });
});

test('COMPAT-03 a PATCH without id is a creation', () => {
  for (const id of [undefined, null, '', 0, '0']) {
    const fitted = fitTo(body, { id, name: 'a', count: null }, 'PATCH').body;
    expect(body.parse(fitted)).toEqual({ id: undefined, name: 'a', count: 3 });
  }
  for (const id of [' ', [], false, '00', '0x0', 1])
    expect(fitTo(body, { id, name: 'a', count: null }, 'PATCH').body).toMatchObject({ count: null });
});

test('COMPAT-03 nothing inside free-form values is converted', () => {
  const free = { a: null, b: '', c: '5', d: { e: 'true', f: [1, '1'] } };
  expect(fitTo(body, { free }, 'POST', 'lenient')).toEqual({ body: { free }, ignored: [] });
});

test('COMPAT-02 a lenient body loses its unknown fields at every declared level', () => {
  const given = { name: 'a', nome: 'b', rows: [{ ramal: '1' }, { ramal: '2', cor: { x: 1 } }], toString: 1 };
  expect(fitTo(body, given, 'POST', 'strict')).toEqual({ body: given, ignored: [] });
  expect(fitTo(body, given, 'POST', 'lenient')).toEqual({
    body: { name: 'a', rows: [{ ramal: '1' }, { ramal: '2' }] },
    ignored: ['nome', 'rows.1.cor', 'toString'],
  });
});

test('COMPAT-02 open objects and bodies of another form stay as they are', () => {
  const open = z.looseObject({ known: z.string().optional() });
  expect(fitTo(open, { other: 1 }, 'POST', 'lenient')).toEqual({ body: { other: 1 }, ignored: [] });
  for (const other of [null, undefined, [], 'x', 5])
    expect(fitTo(body, other, 'POST', 'lenient')).toEqual({ body: other, ignored: [] });
});

test('COMPAT-02 unknown query parameters are removed, and parts of known ones never', () => {
  const query = z.strictObject({ filter: z.string().optional() });
  expect(fitQuery(query, { filter: '{}', page: '1', constructor: 'x' })).toEqual({
    query: { filter: '{}' },
    ignored: ['page', 'constructor'],
  });
  const bracketed = { 'filter[where][ramal]': '1000' };
  expect(fitQuery(query, bracketed)).toEqual({ query: bracketed, ignored: [] });
});
