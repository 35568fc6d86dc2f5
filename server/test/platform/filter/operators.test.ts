import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchArray, parseQuery } from '../../../src/platform/filter/index.ts';
import { openPeople, type Person, peopleList, source, thirtyPeople } from './people.ts';

let people: Awaited<ReturnType<typeof openPeople>>;
let all: Person[];

beforeAll(async () => {
  people = await openPeople(thirtyPeople);
  all = await find({});
});
afterAll(() => people.close());

function find(filter: object): Promise<Person[]> {
  const query = parseQuery(peopleList, JSON.stringify(filter));
  return people.db.transaction().execute(async (trx) => {
    const page = await fetchArray(trx, peopleList, source(trx), query);
    expect(page.total).toBeGreaterThanOrEqual(page.rows.length);
    return page.rows;
  });
}

/** Expects exactly the people for whom the predicate holds, which must be some but not all. */
async function expectExactly(where: object, predicate: (person: Person) => boolean) {
  const expected = all.filter(predicate).map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(all.length);
  expect((await find({ where })).map(({ id }) => id)).toEqual(expected);
}

describe('operators', () => {
  const birthDay = (person: Person) => person.born_at?.toISOString().slice(0, 10) ?? '';

  it('LIST-02 selects the items whose field equals the value', async () => {
    await expectExactly({ role: 'ADMIN' }, ({ role }) => role === 'ADMIN');
    await expectExactly({ active: true }, ({ active }) => active);
    await expectExactly({ age: 22 }, ({ age }) => age === 22);
    await expectExactly({ score: 0.1 }, ({ score }) => score === 0.1);
    await expectExactly({ score: 1e21 }, ({ score }) => score === 1e21);
    await expectExactly({ key: '01900003-0000-7000-8000-000000000000' }, ({ key }) =>
      key.startsWith('01900003'),
    );
  });

  it('LIST-08 compares with eq, neq, gt, gte, lt and lte', async () => {
    await expectExactly({ age: { eq: 22 } }, ({ age }) => age === 22);
    await expectExactly({ age: { neq: 22 } }, ({ age }) => age !== 22);
    await expectExactly({ age: { gt: 22 } }, ({ age }) => age !== null && age > 22);
    await expectExactly({ age: { gte: 22 } }, ({ age }) => age !== null && age >= 22);
    await expectExactly({ age: { lt: 22 } }, ({ age }) => age !== null && age < 22);
    await expectExactly({ age: { lte: 22 } }, ({ age }) => age !== null && age <= 22);
    await expectExactly({ email: { gt: 'bia' } }, ({ email }) => email > 'bia');
  });

  it('LIST-08 selects with between, inq, nin and exists', async () => {
    await expectExactly({ age: { between: [21, 23] } }, ({ age }) => age !== null && age >= 21 && age <= 23);
    await expectExactly({ age: { inq: [20, 24] } }, ({ age }) => age === 20 || age === 24);
    await expectExactly({ age: { nin: [20, 24] } }, ({ age }) => age !== 20 && age !== 24);
    await expectExactly({ nick: { exists: true } }, ({ nick }) => nick !== null);
    await expectExactly({ nick: { exists: false } }, ({ nick }) => nick === null);
    expect(await find({ where: { age: { inq: [] } } })).toEqual([]);
    expect(await find({ where: { age: { nin: [] } } })).toHaveLength(all.length);
    expect(await find({ where: { age: { between: [23, 21] } } })).toEqual([]);
  });

  it('LIST-08 combines with and, or and nesting', async () => {
    const where = { or: [{ age: 20, active: true }, { and: [{ role: 'ADMIN' }, { nick: null }] }] };
    await expectExactly(where, (p) => (p.age === 20 && p.active) || (p.role === 'ADMIN' && p.nick === null));
    expect(await find({ where: { and: [] } })).toHaveLength(all.length);
    expect(await find({ where: { or: [] } })).toEqual([]);
    expect(await find({ where: {} })).toHaveLength(all.length);
  });

  it('LIST-10 applies two operators on one field together', async () => {
    await expectExactly({ age: { gte: 21, lt: 23 } }, ({ age }) => age !== null && age >= 21 && age < 23);
  });

  it('LIST-09 matches patterns with and without case, and escapes with a backslash', async () => {
    expect(await find({ where: { email: { like: 'caio%' } } })).toEqual([]);
    await expectExactly({ email: { ilike: 'CAIO%' } }, ({ email }) => email.startsWith('Caio'));
    await expectExactly({ email: { nlike: '%1%' } }, ({ email }) => !email.includes('1'));
    await expectExactly({ email: { nilike: 'caio%' } }, ({ email }) => !email.startsWith('Caio'));
    await expectExactly({ nick: { like: 'a_b' } }, ({ nick }) => nick !== null && /^a.b$/.test(nick));
    await expectExactly({ nick: { like: 'a\\_b' } }, ({ nick }) => nick === 'a_b');
    await expectExactly({ nick: { like: 'a\\%b' } }, ({ nick }) => nick === 'a%b');
    await expectExactly({ nick: { like: 'a\\\\b' } }, ({ nick }) => nick === 'a\\b');
    await expectExactly({ nick: { nlike: 'a%' } }, ({ nick }) => nick === null || !nick.startsWith('a'));
  });

  it('LIST-09 finds partial numbers', async () => {
    await expectExactly({ email: { like: '%a2%' } }, ({ email }) => email.includes('a2'));
    await expectExactly({ mail: { ilike: '%5@example.com' } }, ({ email }) => email.includes('5@'));
  });

  it('LIST-07 matches metadata by key', async () => {
    await expectExactly({ 'metadata.deal': 'D1' }, ({ metadata }) => metadata?.deal === 'D1');
    await expectExactly({ 'metadata.deal': { ilike: 'd1' } }, ({ metadata }) =>
      /^d1$/i.test(`${metadata?.deal}`),
    );
    await expectExactly({ 'metadata.deal': { neq: 'D1' } }, ({ metadata }) => metadata?.deal !== 'D1');
    await expectExactly({ 'metadata.deal': { inq: ['D1', '7'] } }, (p) =>
      ['D1', '7'].includes(`${p.metadata?.deal}`),
    );
    await expectExactly({ 'metadata.score': 7 }, ({ metadata }) => metadata?.score === 7);
    await expectExactly({ 'metadata.score': null }, ({ metadata }) => (metadata?.score ?? null) === null);
    await expectExactly(
      { 'metadata.tags': { exists: true } },
      ({ metadata }) => metadata?.tags !== undefined,
    );
    await expectExactly({ 'metadata.with.dot': true }, ({ metadata }) => metadata?.['with.dot'] === true);
    expect(await find({ where: { 'metadata.score': '7' } })).toEqual([]);
  });

  it('LIST-07 matches metadata by containment', async () => {
    await expectExactly({ metadata: { deal: 'D1' } }, ({ metadata }) => metadata?.deal === 'D1');
    await expectExactly(
      { metadata: { owner: { vip: true } } },
      ({ metadata }) => metadata?.owner !== undefined,
    );
    await expectExactly({ metadata: { tags: ['y'] } }, ({ metadata }) => metadata?.tags !== undefined);
    await expectExactly({ metadata: {} }, ({ metadata }) => metadata !== null);
    await expectExactly({ metadata: null }, ({ metadata }) => metadata === null);
    expect(await find({ where: { metadata: { constructor: 'x' } } })).toEqual([]);
  });

  it('treats a bare date as its whole day in UTC', async () => {
    await expectExactly({ date: '2025-01-02' }, (p) => birthDay(p) === '2025-01-02');
    await expectExactly({ date: { neq: '2025-01-02' } }, (p) => birthDay(p) !== '2025-01-02');
    await expectExactly({ date: { gt: '2025-01-02' } }, (p) => birthDay(p) > '2025-01-02');
    await expectExactly(
      { date: { lte: '2025-01-02' } },
      (p) => p.born_at !== null && birthDay(p) <= '2025-01-02',
    );
    await expectExactly({ date: { between: ['2025-01-02', '2025-01-03'] } }, (p) =>
      ['2025-01-02', '2025-01-03'].includes(birthDay(p)),
    );
  });

  it('accepts an instant in any time zone', async () => {
    const moment = '2025-01-02T21:00:00.000-03:00';
    await expectExactly(
      { bornAt: { lt: moment } },
      (p) => p.born_at !== null && p.born_at < new Date(moment),
    );
  });

  it('LIST-11 orders, skips and limits', async () => {
    const byAge = await find({ order: ['age ASC', 'id ASC'], limit: 5, skip: 2 });
    const expected = all.toSorted((a, b) => (a.age ?? 99) - (b.age ?? 99) || a.id - b.id).slice(2, 7);
    expect(byAge.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect((await find({ order: 'id', limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([2]);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
  });
});
