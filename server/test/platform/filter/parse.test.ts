import { describe, expect, it } from 'vitest';
import { type Fault, Refusal } from '../../../src/platform/errors.ts';
import { nearestName, parseQuery, pickFields } from '../../../src/platform/filter/index.ts';
import { peopleList } from './people.ts';

const parse = (filter: unknown) => parseQuery(peopleList, JSON.stringify(filter));

function catchRefusal(read: () => unknown): Refusal {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('The filter was not rejected.');
}

function parseFaults(filter: unknown): Fault[] {
  const refusal = catchRefusal(() => parse(filter));
  expect(refusal.code).toBe('INVALID_FILTER');
  return refusal.details ?? [];
}

const firstMessage = (filter: unknown) => parseFaults(filter)[0]?.message;

describe('refusals', () => {
  it('LIST-14 rejects what is not JSON or not an object', () => {
    for (const raw of ['{', 'null', '[]', '"x"', '1', '{"where":{}']) {
      expect(catchRefusal(() => parseQuery(peopleList, raw)).code).toBe('INVALID_FILTER');
    }
  });

  it('LIST-13 names the nearest field, operator, key and include', () => {
    expect(firstMessage({ where: { emial: 'x' } })).toBe('Unknown field `emial`. Did you mean `email`?');
    expect(firstMessage({ where: { age: { gtee: 1 } } })).toContain('Did you mean `gte`?');
    expect(firstMessage({ were: {} })).toContain('Did you mean `where`?');
    expect(firstMessage({ include: 'usr' })).toBe('Unknown include `usr`. Did you mean `user`?');
    expect(firstMessage({ order: 'emal DESC' })).toContain('Did you mean `email`?');
    expect(firstMessage({ fields: ['emal'] })).toContain('Did you mean `email`?');
    expect(firstMessage({ where: { role: 'ADMIM' } })).toContain('Did you mean `ADMIN`?');
  });

  it('lists the valid names when none is near', () => {
    expect(nearestName('zzzzzzzz', ['email', 'age'])).toBeUndefined();
    expect(firstMessage({ where: { zzzzzzzz: 1 } })).toContain('Known: `id`, `email`');
  });

  it('LIST-20 reports all faults of a filter in one response', () => {
    const faults = parseFaults({ where: { emial: 'x', age: { gt: 'old' } }, limit: 0, skip: -1, extra: 1 });
    expect(faults.map(({ path }) => path).toSorted()).toEqual([
      'filter.extra',
      'filter.limit',
      'filter.skip',
      'filter.where.age.gt',
      'filter.where.emial',
    ]);
    expect(faults.every(({ code, message }) => code !== '' && message !== '')).toBe(true);
  });

  it('LIST-12 rejects regexp with a hint to use ilike', () => {
    expect(firstMessage({ where: { email: { regexp: '^a' } } })).toBe(
      'The operator `regexp` is not supported. Use `ilike` instead.',
    );
  });

  it('rejects duplicate keys instead of keeping the last', () => {
    const twice = [
      '{"limit":1,"limit":2}',
      '{"where":{"age":1,"a\\u0067e":2}}',
      '{"where":{"metadata":{"a":[{"b":1,"b":1}]}}}',
    ];
    for (const raw of twice) {
      expect(catchRefusal(() => parseQuery(peopleList, raw)).details?.[0]?.code).toBe('GIVEN_TWICE');
    }
    const once = '{"where":{"or":[{"email":"{\\"a\\":1,\\"a\\":2}"},{"email":":"}],"metadata":{"age":1}}}';
    expect(parseQuery(peopleList, once).limit).toBe(1000);
  });

  it('COMPAT-04 an empty filter is no filter', () => {
    expect(parseQuery(peopleList, '')).toEqual(parseQuery(peopleList, undefined));
  });

  it('LIST-02 COMPAT-04 accepts a value of another type where the field has one type', () => {
    const same = [
      [{ age: '22' }, { age: 22 }],
      [{ age: '-1' }, { age: -1 }],
      [{ score: { gte: '0.5' } }, { score: { gte: 0.5 } }],
      [{ id: { inq: ['3', 4] } }, { id: { inq: [3, 4] } }],
    ];
    for (const [text, number] of same)
      expect(parse({ where: text }), JSON.stringify(text)).toEqual(parse({ where: number }));
    const texts = [
      [{ email: 1000 }, { email: '1000' }],
      [{ email: { inq: [1, '2'] } }, { email: { inq: ['1', '2'] } }],
      [{ email: { like: 10 } }, { email: { like: '10' } }],
      [{ active: 'true' }, { active: true }],
      [{ nick: { exists: 'false' } }, { nick: { exists: false } }],
    ];
    for (const [given, meant] of texts)
      expect(parse({ where: given }), JSON.stringify(given)).toEqual(parse({ where: meant }));
    expect(parse({ where: { 'metadata.n': '7' } })).not.toEqual(parse({ where: { 'metadata.n': 7 } }));
  });

  it('LIST-24 reads a bare date in the time zone, for every year', () => {
    const boundsIn = (zone: string, day: string) => {
      const { where } = parseQuery(peopleList, JSON.stringify({ where: { date: day } }), {}, zone);
      return where.kind === 'and' ? where.parts.map((part) => part.kind === 'compare' && part.value) : [];
    };
    expect(boundsIn('America/Sao_Paulo', '2026-03-01')).toEqual([
      '2026-03-01T03:00:00.000Z',
      '2026-03-02T03:00:00.000Z',
    ]);
    // Daylight saving time starts on this day: it has 23 hours.
    expect(boundsIn('America/New_York', '2026-03-08')).toEqual([
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
    ]);
    for (const day of ['0001-01-01', '0050-05-05', '1000-01-01', '1850-01-01', '9999-12-30'])
      for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Sao_Paulo'])
        expect(boundsIn(zone, day), `${day} in ${zone}`).toHaveLength(2);
  });

  it('COMPAT-05 reads YYYY-MM-DD HH:MM:SS in the time zone, as a whole second', () => {
    const secondIn = (zone: string, at: string) => {
      const { where } = parseQuery(peopleList, JSON.stringify({ where: { date: at } }), {}, zone);
      return where.kind === 'and' ? where.parts.map((part) => part.kind === 'compare' && part.value) : [];
    };
    const cases = [
      ['UTC', '2026-03-01 12:30:00', '2026-03-01T12:30:00.000Z', '2026-03-01T12:30:01.000Z'],
      ['America/Sao_Paulo', '2026-03-01 23:59:59', '2026-03-02T02:59:59.000Z', '2026-03-02T03:00:00.000Z'],
      // Clocks skip this time, and show the next one twice.
      ['America/New_York', '2026-03-08 02:30:00', '2026-03-08T07:30:00.000Z', '2026-03-08T07:30:01.000Z'],
      ['America/New_York', '2026-11-01 01:30:00', '2026-11-01T05:30:00.000Z', '2026-11-01T05:30:01.000Z'],
    ] as const;
    for (const [zone, at, start, next] of cases) expect(secondIn(zone, at), at).toEqual([start, next]);
    for (const at of ['0001-01-02 00:00:00', '9999-12-30 23:59:59'])
      expect(secondIn('Pacific/Kiritimati', at), at).toHaveLength(2);
  });

  it('converts only values that mean the same in the type of the field', () => {
    const wrong = [
      { email: true },
      { email: 2 ** 53 },
      { age: '22x' },
      { age: '' },
      { age: '1e3' },
      { age: '1.5' },
      { age: '9007199254740993' },
      { age: 1.5 },
      { age: 2 ** 53 },
      { score: '0,1' },
      { active: 1 },
      { active: 'yes' },
      { role: 'admin' },
      { key: 'x' },
      { date: '01/02/2025' },
      { date: '2025-02-30' },
      { date: '2025-01-01T00:00:00' },
      { date: '2025-01-01 00:00' },
      { date: '2025-01-01 24:00:00' },
      { date: '2025-02-30 00:00:00' },
      { date: '0000-01-01' },
      { date: '2025-01-01T25:00:00Z' },
      { date: 1735689600 },
      { date: { inq: ['2025-01-01'] } },
      { nick: { exists: 'yes' } },
      { age: { inq: 1 } },
      { age: { inq: [null] } },
      { age: { between: [1] } },
      { age: { between: [1, 2, 3] } },
      { age: { gt: null } },
      { age: [1, 2] },
      { age: {} },
      { age: { like: '2%' } },
      { active: { gt: false } },
      { email: { like: true } },
      { email: { like: 'a\\' } },
      { metadata: 'x' },
      { metadata: [1] },
      { 'metadata.': 1 },
      { 'email.x': 1 },
      { secret: 'x' },
      { and: {} },
      { or: [1] },
    ];
    for (const where of wrong) expect(parseFaults({ where }), JSON.stringify(where)).toHaveLength(1);
  });

  it('rejects keys of the object prototype like any unknown field', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const raw = `{"where":{"${key}":{"eq":1}}}`;
      expect(catchRefusal(() => parseQuery(peopleList, raw)).details?.[0]?.code).toBe('UNKNOWN_FIELD');
      expect(catchRefusal(() => parseQuery(peopleList, `{"${key}":1}`)).details?.[0]?.code).toBe(
        'UNKNOWN_KEY',
      );
      expect(catchRefusal(() => parseQuery(peopleList, `{"where":{"age":{"${key}":1}}}`)).code).toBe(
        'INVALID_FILTER',
      );
    }
  });
});

describe('order, limit, offset, fields and include', () => {
  const orderColumns = (order: unknown) =>
    parse({ order }).order.map(({ column, descending }) => [column, descending]);

  it('LIST-11 accepts order as a string or an array and appends the tie-breaker', () => {
    expect(orderColumns('email')).toEqual([
      ['email', false],
      ['id', false],
    ]);
    expect(orderColumns('email DESC')).toEqual([
      ['email', true],
      ['id', true],
    ]);
    expect(orderColumns(['age asc', 'date DESC'])).toEqual([
      ['age', false],
      ['born_at', true],
      ['id', true],
    ]);
    expect(orderColumns(['id', 'email'])).toEqual([['id', false]]);
    expect(parse({}).order.map(({ column, descending }) => [column, descending])).toEqual([['id', true]]);
  });

  it('rejects an invalid order', () => {
    for (const order of [
      '',
      'email UP',
      'email,age',
      [],
      [1],
      5,
      {},
      ['age', 'age DESC'],
      'role',
      'metadata.deal',
    ]) {
      expect(parseFaults({ order }), JSON.stringify(order)).toHaveLength(1);
    }
  });

  it('LIST-11 accepts offset or its alias skip, not both', () => {
    expect(parse({ offset: 5 }).offset).toBe(5);
    expect(parse({ skip: 5 }).offset).toBe(5);
    expect(parseFaults({ skip: 1, offset: 1 })[0]?.code).toBe('GIVEN_TWICE');
    expect(parseQuery(peopleList, undefined, { limit: 7, offset: 3 })).toMatchObject({
      limit: 7,
      offset: 3,
    });
    expect(catchRefusal(() => parseQuery(peopleList, '{"limit":1}', { limit: 1 })).code).toBe(
      'INVALID_FILTER',
    );
  });

  it('LIST-16 COMPAT-05 accepts a limit from 1, and clamps it to the maximum of the list', () => {
    expect(parse({}).limit).toBe(1000);
    expect(parse({ limit: 1 }).limit).toBe(1);
    expect(parse({ limit: 1000 }).limit).toBe(1000);
    expect(parse({ limit: 1001 }).limit).toBe(1000);
    expect(parse({ limit: '5', offset: '7' })).toMatchObject({ limit: 5, offset: 7 });
    expect(parseQuery(peopleList, undefined, { limit: 1001 }).limit).toBe(1000);
    for (const limit of [0, '0', -1, '-1', 1.5, 'ten', '', null])
      expect(parseFaults({ limit }), String(limit)).toHaveLength(1);
  });

  it('LIST-11 limits the returned fields, given as an array or an object', () => {
    const item = { id: 1, email: 'a', bornAt: null };
    expect(pickFields(parse({ fields: ['email', 'date'] }), item)).toEqual({ email: 'a', bornAt: null });
    expect(pickFields(parse({ fields: { email: true } }), item)).toEqual({ email: 'a' });
    expect(pickFields(parse({}), item)).toEqual(item);
    for (const fields of [[], {}, { email: false }, 'email', [1]])
      expect(parseFaults({ fields })).toHaveLength(1);
  });

  it('LIST-23 accepts the includes of the list and rejects others', () => {
    expect(parse({ include: 'user' }).include).toEqual(['user']);
    expect(parse({ include: ['user', 'timeline', 'user'] }).include).toEqual(['user', 'timeline']);
    expect(parseFaults({ include: ['price'] })[0]?.code).toBe('UNKNOWN_INCLUDE');
    expect(parseFaults({ include: { relation: 'user' } })).toHaveLength(1);
  });
});

describe('bounds', () => {
  const nested = (levels: number): object => (levels === 1 ? { age: 1 } : { and: [nested(levels - 1)] });
  const conditions = (count: number) => ({ or: Array.from({ length: count }, (_, age) => ({ age })) });
  const values = (count: number) => Array.from({ length: count }, (_, age) => age);

  it('LIST-15 accepts a filter of 4096 bytes and rejects one of 4097', () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ where: { email: '' } });
      return frame.replace('""', JSON.stringify('é'.repeat(10) + 'x'.repeat(bytes - frame.length - 20)));
    };
    expect(Buffer.byteLength(sized(4096))).toBe(4096);
    expect(parseQuery(peopleList, sized(4096)).limit).toBe(1000);
    expect(catchRefusal(() => parseQuery(peopleList, sized(4097))).details?.[0]?.code).toBe('TOO_LONG');
  });

  it('LIST-15 accepts five levels and rejects six', () => {
    expect(parse({ where: nested(5) }).where.kind).toBe('and');
    expect(parseFaults({ where: nested(6) })[0]?.code).toBe('TOO_DEEP');
    const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
    expect(parse({ where: { metadata: deep(4) } }).where.kind).toBe('contains');
    expect(parseFaults({ where: { metadata: deep(5) } })).toHaveLength(1);
  });

  it('LIST-15 accepts 50 conditions and rejects 51', () => {
    expect(parse({ where: conditions(50) }).where.kind).toBe('or');
    expect(parseFaults({ where: conditions(51) })[0]?.code).toBe('TOO_MANY');
    expect(parseFaults({ where: { ...conditions(49), score: { gt: 1, lt: 2 } } })[0]?.code).toBe('TOO_MANY');
  });

  it('LIST-15 accepts 100 values of inq and nin and rejects 101', () => {
    for (const operator of ['inq', 'nin']) {
      expect(parse({ where: { age: { [operator]: values(100) } } }).where.kind).not.toBe('and');
      expect(parseFaults({ where: { age: { [operator]: values(101) } } })[0]?.code).toBe('TOO_MANY');
    }
  });
});
