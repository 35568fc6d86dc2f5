import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchArray, parseQuery } from '../../../src/platform/filter/index.ts';
import { matches } from './evaluate.ts';
import { openPeople, type Person, peopleList, source, thirtyPeople } from './people.ts';

let people: Awaited<ReturnType<typeof openPeople>>;

beforeAll(async () => {
  people = await openPeople(thirtyPeople);
});
afterAll(() => people.close());

const text = fc.oneof(
  fc.constantFrom('ana0@example.com', 'Ab', 'a%b', 'x', 'D1', '7', ''),
  fc.string({ maxLength: 4 }),
);
const pattern = fc
  .array(fc.constantFrom('a', 'A', 'b', '%', '_', '\\%', '\\_', '\\\\', '1', '@'), { maxLength: 5 })
  .map((parts) => parts.join(''));
const age = fc.integer({ min: 18, max: 26 });
const score = fc.constantFrom(0, 0.1, -1.5, 1e21, 2, 0.3);
const moment = fc.oneof(
  fc.constantFrom('2025-01-01', '2025-01-02', '2025-01-04'),
  fc.integer({ min: 0, max: 96 }).map((hour) => new Date(Date.UTC(2025, 0, 1, hour)).toISOString()),
);
const instant = moment.filter((each) => each.length > 10);
const role = fc.constantFrom('ADMIN', 'USER');
const key = fc.integer({ min: 0, max: 7 }).map((i) => `0190000${i}-0000-7000-8000-000000000000`);
const json = fc.oneof(fc.constantFrom('D1', 'd1', '7'), fc.constantFrom(7, 8), fc.boolean());

type Operators = Record<string, fc.Arbitrary<unknown>>;

const equality = (value: fc.Arbitrary<unknown>, listed = value): Operators => ({
  eq: fc.option(value),
  neq: fc.option(value),
  inq: fc.array(listed, { maxLength: 4 }),
  nin: fc.array(listed, { maxLength: 4 }),
  exists: fc.boolean(),
});
const ordered = (value: fc.Arbitrary<unknown>, listed = value): Operators => ({
  ...equality(value, listed),
  gt: value,
  gte: value,
  lt: value,
  lte: value,
  between: fc.tuple(value, value),
});
const patterns: Operators = { like: pattern, nlike: pattern, ilike: pattern, nilike: pattern };

/** Builds one to three operators on a field, or the bare value. */
const buildTest = (operators: Operators) => {
  const one = fc
    .constantFrom(...Object.entries(operators))
    .chain(([name, value]) => fc.tuple(fc.constant(name), value));
  const some = fc.array(one, { minLength: 1, maxLength: 3 }).map((tests) => Object.fromEntries(tests));
  return fc.oneof(
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: operators.eq ?? fc.constant(null) },
  );
};

const fields: Record<string, fc.Arbitrary<unknown>> = {
  email: buildTest({ ...ordered(text), ...patterns }),
  nick: buildTest({ ...ordered(text), ...patterns }),
  age: buildTest(ordered(age)),
  score: buildTest(ordered(score)),
  active: buildTest(equality(fc.boolean())),
  role: buildTest(equality(role)),
  date: buildTest(ordered(moment, instant)),
  key: buildTest(equality(key)),
  'metadata.deal': buildTest({ ...equality(json), ...patterns }),
  'metadata.score': buildTest(equality(json)),
  'metadata.with.dot': buildTest(equality(json)),
  metadata: fc.option(
    fc.record(
      {
        deal: json,
        score: fc.option(json),
        tags: fc.constantFrom([], ['x'], ['x', 'z']),
        owner: fc.constantFrom({}, { vip: true }, { vip: false }),
      },
      { requiredKeys: [] },
    ),
  ),
};

const { where } = fc.letrec<{ where: object }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...Object.entries(fields))
        .chain(([name, test]) => fc.record({ [name]: test })),
    },
    { weight: 1, arbitrary: fc.record({ and: fc.array(tie('where'), { maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ or: fc.array(tie('where'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.tuple(tie('where'), tie('where')).map(([a, b]) => ({ ...a, ...b })) },
  ),
}));

it('LIST-02 LIST-07 LIST-08 LIST-09 LIST-10 selects the same rows as the reference evaluation', async () => {
  const find = (filter: object): Promise<Person[]> =>
    people.db.transaction().execute(async (trx) => {
      const query = parseQuery(peopleList, JSON.stringify(filter));
      return (await fetchArray(trx, peopleList, source(trx), query)).rows;
    });
  const all = await find({});
  let partial = 0;
  const property = fc.asyncProperty(where, async (generated) => {
    fc.pre(JSON.stringify(generated).length < 1_000);
    const expected = all.filter((person) => matches(person, generated as Record<string, unknown>));
    expect((await find({ where: generated })).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    if (expected.length > 0 && expected.length < all.length) partial += 1;
  });
  await fc.assert(property, { numRuns: 1500, seed: 20_260_301 });
  expect(partial).toBeGreaterThan(400);
});
