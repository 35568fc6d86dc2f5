import { expect, test } from 'vitest';
import { termsOf } from '../../../../src/contexts/calls/search/terms.rules.ts';
import { wordsOf } from '../../../../src/contexts/calls/search/words.rules.ts';

const call = {
  from: '1001',
  to: '5511987654321',
  bina: '551133334444',
  email: 'Ana.Lima@Empresa.com.br',
  first_name: 'Ana Lúcia',
  last_name: 'D’Ávila-Souza',
  metadata: {
    deal: 'D-1042',
    count: 7,
    nested: { tags: ['VIP', 'São Paulo'] },
    mail: 'bob@Cliente.com',
    ok: true,
    none: null,
  },
};

test('SEARCH-01 the words of a call are folded, whole and in parts', () => {
  expect(wordsOf(call).toSorted()).toEqual(
    [
      ...['5511987654321', '11987654321', '987654321', '551133334444', '1001'],
      ...['ana', 'lucia', 'd’avila-souza', 'd', 'avila', 'souza'],
      ...['ana.lima@empresa.com.br', 'lima'],
      ...['d-1042', '1042', '7', 'vip', 'sao', 'paulo', 'bob@cliente.com', 'bob', 'cliente.com'],
    ].toSorted(),
  );
});

test('SEARCH-01 words are limited in length and number', () => {
  const many = { text: Array.from({ length: 500 }, (_, n) => `w${n}`).join(' '), long: '😀é'.repeat(60) };
  const words = wordsOf({ ...call, metadata: many });
  expect(words).toHaveLength(100);
  const [long] = wordsOf({ ...call, metadata: { x: `x${'é'.repeat(100)}` } }).filter((word) =>
    /^xe/.test(word),
  );
  expect(long).toBe(`x${'e'.repeat(63)}`);
  expect(termsOf(`x${'é'.repeat(100)}`)).toEqual([{ prefixes: [long], id: undefined }]);
});

const finds = (q: string, words = wordsOf(call)) =>
  termsOf(q).every(({ prefixes }) =>
    prefixes.some((prefix) => words.some((word) => word.startsWith(prefix))),
  );

test('SEARCH-01 every word of the search must begin a word of the call', () => {
  for (const q of [
    'ANA',
    'ána',
    'lu',
    'souza ana',
    'avila',
    'd’ávila',
    'ana.lima@emp',
    '@cliente',
    'd-104',
    '1042',
    'são vip',
    '"vip"',
  ])
    expect([q, finds(q)]).toEqual([q, true]);
  for (const q of ['bia', 'na', 'ana bia', 'com', 'true']) expect([q, finds(q)]).toEqual([q, false]);
});

test('SEARCH-02 a number is found in every notation and from its first digits on', () => {
  for (const q of [
    ...['5511987654321', '+55 11 98765-4321', '(11) 98765-4321', '11 98765 4321', '11987654321'],
    ...[
      '011 98765-4321',
      '0055 11 98765-4321',
      'tel:+5511987654321',
      '98765-4321',
      '98765 4321',
      '987654321',
    ],
    ...['55 11 987', '11 98765', '98765', 'ana (11) 98765-4321', '1001 987654321', '+5511', '1001'],
  ])
    expect([q, finds(q)]).toEqual([q, true]);
  for (const q of ['4321', '11 98765-4322', '21 98765-4321', '1001 2002'])
    expect([q, finds(q)]).toEqual([q, false]);
});

test('SEARCH-02 numbers in metadata are found like others', () => {
  const words = wordsOf({ ...call, metadata: { phone: '(21) 99876-5432' } });
  for (const q of ['5521998765432', '+55 21 99876-5432', '99876-5432']) expect(finds(q, words)).toBe(true);
});

test('SEARCH-02 an id is a term of its own', () => {
  const id = '01968924-9C00-7000-8000-000000000001';
  expect(termsOf(id)).toEqual([{ prefixes: [id.toLowerCase()], id: id.toLowerCase() }]);
});

test('SEARCH-01 a search has at most 8 words, each counted once', () => {
  expect(termsOf('a b c d e f g h a a')).toHaveLength(8);
  expect(() => termsOf('a b c d e f g h i')).toThrow(/at most 8 words/);
  expect(termsOf(' ,. - ')).toEqual([]);
});
