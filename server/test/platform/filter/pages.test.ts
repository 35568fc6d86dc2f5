import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/platform/errors.ts';
import {
  fetchArray,
  fetchCursorPage,
  fetchPage,
  type OwnCount,
  parseQuery,
} from '../../../src/platform/filter/index.ts';
import { openPeople, peopleList, source, thirtyPeople } from './people.ts';

let people: Awaited<ReturnType<typeof openPeople>>;

beforeAll(async () => {
  people = await openPeople(thirtyPeople);
});
afterAll(() => people.close());

const page = (filter: object, number: number, ownCount?: OwnCount) =>
  people.db.transaction().execute((trx) => {
    const query = parseQuery(peopleList, JSON.stringify(filter));
    return fetchPage(trx, peopleList, source(trx), query, number, ownCount);
  });

const follow = (filter: object, cursor: string | undefined) =>
  people.db.transaction().execute((trx) => {
    const query = parseQuery(peopleList, JSON.stringify(filter));
    return fetchCursorPage(trx, peopleList, source(trx), query, cursor);
  });

async function walk(filter: object, cursor?: string): Promise<number[]> {
  const ids: number[] = [];
  let next = cursor;
  do {
    const reached = await follow(filter, next);
    ids.push(...reached.rows.map(({ id }) => id));
    next = reached.meta.nextCursor;
  } while (next !== undefined && ids.length <= 100);
  return ids;
}

describe('numbered pages', () => {
  it('LIST-05 give totals, and neighbouring pages only if they exist', async () => {
    const meta = { totalItemCount: 30, totalPageCount: 3, itemsPerPage: 12 };
    expect((await page({ limit: 12 }, 1)).meta).toEqual({ ...meta, currentPage: 1, nextPage: 2 });
    expect((await page({ limit: 12 }, 2)).meta).toEqual({
      ...meta,
      currentPage: 2,
      nextPage: 3,
      previousPage: 1,
    });
    expect((await page({ limit: 12 }, 3)).meta).toEqual({ ...meta, currentPage: 3, previousPage: 2 });
    expect((await page({ limit: 12 }, 4)).meta).toEqual({ ...meta, currentPage: 4, previousPage: 3 });
    expect((await page({ limit: 12 }, 9)).meta).toEqual({ ...meta, currentPage: 9 });
    expect((await page({ limit: 15 }, 2)).meta).not.toHaveProperty('nextPage');
  });

  it('LIST-05 are empty without items', async () => {
    const nothing = await page({ where: { age: 99 } }, 1);
    expect(nothing.rows).toEqual([]);
    expect(nothing.meta).toEqual({
      totalItemCount: 0,
      totalPageCount: 0,
      itemsPerPage: 1000,
      currentPage: 1,
    });
  });

  it('LIST-04 contain every item once', async () => {
    const pages = await Promise.all([1, 2, 3].map((number) => page({ limit: 12, order: 'age' }, number)));
    const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  it('start after the offset of the filter', async () => {
    const shifted = await page({ limit: 12, offset: 6, order: 'id' }, 2);
    expect(shifted.rows.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => 19 + i));
    expect(shifted.meta).toMatchObject({ totalItemCount: 30, totalPageCount: 2 });
  });

  it('are empty beyond the last row', async () => {
    expect((await page({}, Number.MAX_SAFE_INTEGER)).rows).toEqual([]);
  });

  it('use the list’s own count, except on the last page, which determines the total', async () => {
    expect((await page({ limit: 12 }, 1, async () => 77)).meta.totalItemCount).toBe(77);
    expect((await page({ limit: 12 }, 3, async () => 77)).meta.totalItemCount).toBe(30);
    expect((await page({ limit: 12 }, 1, async () => undefined)).meta.totalItemCount).toBe(30);
  });
});

describe('arrays', () => {
  it('LIST-17 give the total beside a part of the items', async () => {
    const query = parseQuery(peopleList, undefined, { limit: 4, offset: 28 });
    const array = await people.db
      .transaction()
      .execute((trx) => fetchArray(trx, peopleList, source(trx), query));
    expect(array.rows.map(({ id }) => id)).toEqual([2, 1]);
    expect(array).toMatchObject({ total: 30, isEstimated: false });
  });
});

describe('cursors', () => {
  const orders = [
    'id',
    'id DESC',
    'email',
    'nick ASC',
    'nick DESC',
    'age DESC',
    ['active', 'score DESC', 'nick'],
    ['age ASC', 'bornAt DESC'],
    ['bornAt', 'age DESC'],
    ['score', 'email'],
  ];

  it('LIST-18 cover all items without gaps or repetition, over ties and nulls, in both directions', async () => {
    for (const order of orders) {
      const whole = (await page({ order }, 1)).rows.map(({ id }) => id);
      expect(new Set(whole).size).toBe(30);
      for (const limit of [1, 4, 7, 30]) expect(await walk({ order, limit })).toEqual(whole);
    }
  });

  it('LIST-18 continue from a numbered page', async () => {
    const first = await page({ order: 'nick DESC', limit: 12 }, 1);
    const rest = await walk({ order: 'nick DESC', limit: 12 }, first.nextCursor);
    const whole = (await page({ order: 'nick DESC' }, 1)).rows.map(({ id }) => id);
    expect([...first.rows.map(({ id }) => id), ...rest]).toEqual(whole);
  });

  it('LIST-18 page through a filtered list from its offset', async () => {
    const where = { active: false };
    const whole = (await page({ where, order: 'age' }, 1)).rows.map(({ id }) => id);
    expect(await walk({ where, order: 'age', limit: 3, offset: 5 })).toEqual(whole.slice(5));
  });

  it('LIST-18 keep their position when items are added and removed', async () => {
    const first = await follow({ limit: 10 }, undefined);
    await people.pool.query(`insert into people (email, score, active, role, key)
      select 'new@example.com', 0, true, 'USER', gen_random_uuid() from generate_series(1, 5)`);
    await people.pool.query('delete from people where id = 21');
    expect(await walk({ limit: 10 }, first.meta.nextCursor)).toEqual(
      Array.from({ length: 20 }, (_, i) => 20 - i),
    );
    await people.pool.query('delete from people where id > 30');
    await people.pool.query(`insert into people overriding system value
      values (21, 'back@example.com', null, null, 0, true, 'USER', null, gen_random_uuid(), null)`);
  });

  it('keep the microseconds of a timestamp', async () => {
    await people.pool.query(`update people set born_at = '2025-01-02T03:04:05.678Z'::timestamptz + id * interval '1 microsecond'
      where born_at is not null`);
    const whole = (await page({ order: 'bornAt' }, 1)).rows.map(({ id }) => id);
    expect(await walk({ order: 'bornAt', limit: 4 })).toEqual(whole);
  });

  it('LIST-21 carry only the items per page and the next cursor', async () => {
    const { meta } = await follow({ limit: 10 }, undefined);
    expect(Object.keys(meta)).toEqual(['itemsPerPage', 'nextCursor']);
    expect(Object.keys((await follow({}, undefined)).meta)).toEqual(['itemsPerPage']);
  });

  it('keep the requested metadata, whatever its keys', async () => {
    for (const field of [null, 'x', { name: 'email' }]) {
      const { meta } = await follow(
        { limit: 1, where: { metadata: {}, and: [{ or: [{ metadata: { field } }, {}] }] } },
        undefined,
      );
      await expect(follow({ limit: 1, where: { metadata: { field } } }, meta.nextCursor)).rejects.toThrow(
        'another filter',
      );
    }
  });

  it('are rejected with another filter, order or list', async () => {
    const { meta } = await follow({ limit: 10 }, undefined);
    for (const filter of [{ order: 'id' }, { where: { age: 20 } }, { offset: 1 }]) {
      await expect(follow(filter, meta.nextCursor)).rejects.toMatchObject({ code: 'INVALID_FILTER' });
    }
    expect((await follow({ limit: 5 }, meta.nextCursor)).rows).toHaveLength(5);
  });

  it('are rejected without a failure when altered', async () => {
    const filter = { limit: 3, order: ['bornAt', 'score', 'nick', 'active'] };
    const cursor = (await follow(filter, undefined)).meta.nextCursor ?? '';
    const [print, ...position]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forge = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const evil = [
      'x',
      '',
      '\u0000',
      '\ud800',
      Number.MAX_VALUE,
      {},
      [],
      true,
      '1e999',
      '1e-999',
      'NaN',
      '2025-02-30T00:00:00.000000Z',
    ];
    const forged = [
      '',
      'x',
      '!!!',
      'a'.repeat(5000),
      forge(null),
      forge({}),
      forge([]),
      forge([print]),
      forge([print, ...position, 1]),
      ...evil.flatMap((value) => position.map((_, i) => forge([print, ...position.with(i, value)]))),
      ...Array.from({ length: cursor.length }, (_, i) => `${cursor.slice(0, i)}A${cursor.slice(i + 1)}`),
    ];
    for (const each of forged) {
      const outcome = await follow(filter, each).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(Refusal);
        expect(outcome).toMatchObject({ code: 'INVALID_FILTER' });
      }
    }
  });
});
