import { afterAll, beforeAll, expect, it } from 'vitest';
import { Refusal } from '../../../src/platform/errors.ts';
import { fetchPage, parseQuery } from '../../../src/platform/filter/index.ts';
import { openPeople, peopleList, source, thirtyPeople } from './people.ts';

let people: Awaited<ReturnType<typeof openPeople>>;

beforeAll(async () => {
  people = await openPeople(thirtyPeople);
});
afterAll(() => people.close());

const corpus = [
  `'`,
  `"`,
  `\\`,
  `\\\\`,
  `' or '1'='1`,
  `'; drop table people; --`,
  `" or 1=1 --`,
  `1) or (1=1`,
  `$1`,
  `$$; select pg_sleep(9); $$`,
  `:id`,
  '?',
  `{}`,
  `{"a":1}`,
  `[1]`,
  `/* */`,
  `%`,
  `_`,
  `\\%`,
  `%%%%%%%%%%%%%%%%%%%%a`,
  `\u0000`,
  `a\u0000b`,
  `\ud800`,
  `\udc00x`,
  `\uffff`,
  `\u202e`,
  `😀`,
  'x'.repeat(3000),
  `null`,
  `true`,
  `NaN`,
  `1e999`,
  `infinity`,
  `-infinity`,
  `now`,
  `2025-01-01T00:00:00Z; select 1`,
  `__proto__`,
  `constructor.prototype`,
  `metadata->>'deal'`,
  `E'\\x27'`,
  `U&'\\0027'`,
];

/** Returns the number of rows, or undefined for a refusal; any other outcome is a vulnerability. */
async function attempt(raw: string): Promise<number | undefined> {
  try {
    return await people.db.transaction().execute(async (trx) => {
      const page = await fetchPage(trx, peopleList, source(trx), parseQuery(peopleList, raw), 1);
      return page.rows.length;
    });
  } catch (error) {
    expect(error, raw).toBeInstanceOf(Refusal);
    expect(error, raw).toMatchObject({ code: 'INVALID_FILTER' });
    return undefined;
  }
}

it('LIST-20 answers every hostile value, name and key with rows or a rejection', async () => {
  const fields = [
    'email',
    'nick',
    'age',
    'score',
    'active',
    'role',
    'date',
    'key',
    'metadata',
    'metadata.deal',
  ];
  const operators = ['eq', 'neq', 'gt', 'between', 'inq', 'nin', 'like', 'ilike', 'nlike', 'exists'];
  let served = 0;
  for (const text of corpus) {
    const filters: object[] = [
      ...fields.map((field) => ({ where: { [field]: text } })),
      ...operators.map((operator) => ({ where: { email: { [operator]: text } } })),
      ...operators.map((operator) => ({ where: { 'metadata.deal': { [operator]: [text, text] } } })),
      { where: { [text]: 1 } },
      { where: { email: { [text]: 1 } } },
      { where: { [`metadata.${text}`]: text } },
      { where: { metadata: { [text]: text, deep: { [text]: [text] } } } },
      { order: text },
      { order: `email ${text}` },
      { fields: [text] },
      { include: text },
      { limit: text },
      { [text]: text },
    ];
    for (const filter of filters) if ((await attempt(JSON.stringify(filter))) !== undefined) served += 1;
    await attempt(text);
  }
  expect(served).toBeGreaterThan(corpus.length * 8);
  expect(await attempt('{}')).toBe(30);
});

it('accepts the extremes of every number type', async () => {
  const numbers = [
    '0',
    '-0',
    '5e-324',
    '-5e-324',
    '1.7976931348623157e308',
    '1e21',
    '9007199254740991',
    '0.1',
  ];
  for (const number of numbers) {
    for (const field of ['score', 'age', 'metadata.score']) {
      await attempt(`{"where":{"${field}":{"gt":${number}}}}`);
      await attempt(`{"where":{"${field}":${number}}}`);
      await attempt(`{"where":{"${field}":{"inq":[${number}]}}}`);
    }
    await attempt(`{"where":{"metadata":{"score":${number}}}}`);
  }
  expect(await attempt('{"where":{"score":1e999}}')).toBeUndefined();
  expect(await attempt('{"where":{"metadata":{"score":1e999}}}')).toBeUndefined();
});

it('generates the same statement whatever the values are', async () => {
  const executedSql = async (filter: object) => {
    people.statements.length = 0;
    await attempt(JSON.stringify(filter));
    return people.statements.join(';');
  };
  const shape = (text: string, ages: number[]) => ({
    where: {
      email: { like: text },
      or: [{ age: { inq: ages } }, { 'metadata.deal': text }, { metadata: { [text]: 1 } }],
    },
  });
  const first = await executedSql(shape('a', []));
  expect(first).toContain('"age" = any($');
  const harmless = corpus.filter(
    (each) => each.isWellFormed() && !each.includes('\u0000') && each.length < 1_000,
  );
  for (const text of harmless) {
    const ages = Array.from({ length: text.length }, (_, i) => i);
    expect(await executedSql(shape(text.replaceAll('\\', '/'), ages))).toBe(first);
  }
});
