import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  await platform.database.query('delete from audit_entries');
  // Ten entries share each second, so that pages have to break ties.
  await platform.database.query(
    `insert into audit_entries (id, account_id, at, action, target_type, target_id, after, address)
     select gen_random_uuid(), $1, timestamptz '2026-03-01Z' + (n / 10) * interval '1 second', 'test.' || n % 5, 'test',
            n::text, jsonb_build_object('number', n, 'even', n % 2 = 0), '192.0.2.1'
       from generate_series(0, 249) n`,
    [account.id],
  );
});

const ask = (filter?: object, query: Record<string, string> = { page: '1' }) =>
  account.admin.client.list('/audit', filter, query);
const toIds = (data: { id: string }[]) => data.map(({ id }) => id);

describe('pages', () => {
  test('LIST-05 LIST-16 a page has 100 items, and meta has the total', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.data).toHaveLength(100);
    expect(body.meta).toEqual({
      totalItemCount: 250,
      totalPageCount: 3,
      itemsPerPage: 100,
      currentPage: 1,
      nextPage: 2,
    });
  });

  test('LIST-05 links a next page only if more items follow, and a previous one only after the first', async () => {
    const metas = await Promise.all(['1', '2', '3', '4'].map(async (page) => (await ask({}, { page })).body));
    expect(metas.map(({ data }) => data.length)).toEqual([100, 100, 50, 0]);
    expect(metas.map(({ meta }) => [meta.previousPage, meta.nextPage])).toEqual([
      [undefined, 2],
      [1, 3],
      [2, undefined],
      [3, undefined],
    ]);
    expect(metas.every(({ meta }) => meta.totalItemCount === 250 && meta.totalPageCount === 3)).toBe(true);
    expect(metas[2]?.meta).not.toHaveProperty('nextPage');
    expect(metas[0]?.meta).not.toHaveProperty('previousPage');
  });

  test('LIST-05 an empty list has no pages', async () => {
    const { body } = await ask({ where: { action: 'nothing' } });
    expect(body).toEqual({
      data: [],
      meta: { totalItemCount: 0, totalPageCount: 0, itemsPerPage: 100, currentPage: 1 },
    });
  });

  test('LIST-16 filter.limit sets pages of 1 to 100 items, and more means 100', async () => {
    for (const limit of [1, 7, 100, 101, '7']) {
      const size = Math.min(Number(limit), 100);
      const { data, meta } = (await ask({ limit })).body;
      expect(data).toHaveLength(size);
      expect(meta).toMatchObject({ itemsPerPage: size, totalPageCount: Math.ceil(250 / size) });
    }
    for (const limit of [0, -1, 1.5, 'ten']) {
      const answer = await ask({ limit });
      expect(answer.status).toBe(400);
      expect(answer.body.error.errorCode).toBe('INVALID_FILTER');
    }
  });

  test('LIST-16 pages are newest first by default and contain every item once', async () => {
    const pages = await Promise.all(['1', '2', '3'].map(async (page) => (await ask({}, { page })).body.data));
    const times = pages.flat().map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(toIds(pages.flat())).size).toBe(250);
    const oldest = (await ask({ order: 'at ASC', limit: 1 })).body.data[0];
    expect(oldest.at).toBe('2026-03-01T00:00:00.000Z');
  });

  test('LIST-01 LIST-08 filters select by time, action and changed values', async () => {
    const countEntries = async (where: object) => (await ask({ where })).body.meta.totalItemCount;
    expect(await countEntries({ action: 'test.3' })).toBe(50);
    expect(await countEntries({ date: { gte: '2026-03-01T00:00:20.000Z' } })).toBe(50);
    expect(await countEntries({ after: { even: true } })).toBe(125);
    expect(await countEntries({ 'after.number': 7 })).toBe(1);
    expect(await countEntries({ action: 'test.3', 'after.even': false })).toBe(25);
    expect(await countEntries({ before: null })).toBe(250);
  });

  test('page is required and counts from 1', async () => {
    const requestStatus = async (query: Record<string, string>) => (await ask(undefined, query)).status;
    expect(await requestStatus({})).toBe(422);
    for (const page of ['0', '-1', '1.5', 'one', '', '9999999999'])
      expect(await requestStatus({ page }), page).toBe(422);
    expect(await requestStatus({ page: '999999999' })).toBe(200);
    expect(await requestStatus({ page: '1', cursor: 'x' })).toBe(422);
    expect(await requestStatus({ pge: '1' })).toBe(400);
  });
});

describe('cursors', () => {
  /** Follows Link from the first page to the last, and returns the ids in order. */
  async function walk(filter: object): Promise<string[]> {
    const seen: string[] = [];
    let answer = await ask(filter);
    for (let pages = 0; pages < 100; pages++) {
      seen.push(...toIds(answer.body.data));
      const next = /^<(?<url>[^>]+)>; rel="next"$/.exec(answer.headers.link ?? '')?.groups?.url;
      if (next === undefined) return seen;
      answer = await account.admin.client.get(next.replace('/api/v1', ''));
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body.meta).every((key) => ['itemsPerPage', 'nextCursor'].includes(key))).toBe(
        true,
      );
    }
    throw new Error('Link headers never end.');
  }

  test('Link covers the whole list without gaps or repetition, in both orders and over ties', async () => {
    const whole = (order: string) =>
      platform.database.query<{ id: string }>(`select id from audit_entries order by ${order}`);
    for (const limit of [7, 10, 100]) {
      expect(await walk({ limit })).toEqual(toIds(await whole('at desc, id desc')));
      expect(await walk({ limit, order: 'at ASC' })).toEqual(toIds(await whole('at asc, id asc')));
    }
  });

  test('Link keeps the filter', async () => {
    const seen = await walk({ where: { action: 'test.3' }, limit: 20 });
    expect(seen).toHaveLength(50);
    expect(new Set(seen).size).toBe(50);
  });

  test('entries added between two pages neither repeat nor hide others', async () => {
    const first = await ask({ limit: 100 });
    await account.admin.client.patch('/accounts', { name: 'Meanwhile' });
    const next = /<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '';
    const second = await account.admin.client.get(next.replace('/api/v1', ''));
    const both = toIds([...first.body.data, ...second.body.data]);
    expect(new Set(both).size).toBe(200);
    await platform.database.query(`delete from audit_entries where action = 'account.update'`);
  });

  test('LIST-20 rejects a cursor that is invented, altered or from another query', async () => {
    const { body } = await ask({ limit: 10 }, { page: '1' });
    const next = (await ask({ limit: 10 })).headers.link ?? '';
    const cursor = new URL(/<([^>]+)>/.exec(next)?.[1] ?? '', 'http://any').searchParams.get('cursor') ?? '';
    expect(body.data).toHaveLength(10);
    const refusals = [
      await ask({ limit: 10 }, { cursor: 'made-up' }),
      await ask({ limit: 10 }, { cursor: `${cursor.slice(0, -4)}AAAA` }),
      await ask({ limit: 10, order: 'at ASC' }, { cursor }),
      await ask({ limit: 10, where: { action: 'test.1' } }, { cursor }),
      await ask({ limit: 10 }, { cursor: Buffer.from('[]').toString('base64url') }),
      await ask({ limit: 10 }, { cursor: 'x'.repeat(4_096) }),
    ];
    for (const { status, body: refused } of refusals) {
      expect(status).toBe(400);
      expect(refused.error.errorCode).toBe('INVALID_FILTER');
    }
    expect((await ask({ limit: 10 }, { cursor })).status).toBe(200);
  });

  test('a cursor of another account exposes nothing of it', async () => {
    const next = (await ask({ limit: 10 })).headers.link ?? '';
    const url = (/<([^>]+)>/.exec(next)?.[1] ?? '').replace('/api/v1', '');
    const other = await createAccount(platform);
    const answer = await other.admin.client.get(url);
    expect(answer.status).toBe(200);
    expect(answer.body.data.every(({ targetType }: { targetType: string }) => targetType !== 'test')).toBe(
      true,
    );
  });
});
