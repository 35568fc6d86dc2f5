import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
/** Ids of the calls, newest first. */
let ids: string[];

/** Five calls share each second, so that sorting by time has to break ties. */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform);
  const start = Date.UTC(2026, 4, 31, 23, 59, 30);
  const calls = Array.from({ length: 250 }, (_, n) => ({
    startedAt: new Date(start + Math.floor(n / 5) * 1000),
    duration: n % 10,
    metadata: { n },
  }));
  ids = (await insertCalls(platform.database, account, calls)).sort().reverse();
});
afterAll(() => platform.close());

const ask = (filter?: object, query: Record<string, string> = { page: '1' }, path = '/calls') =>
  account.admin.client.list(path, filter, query);
const pickIds = (data: { id: string }[]) => data.map(({ id }) => id);

/** Collects every item by following the next links. */
async function walk(filter: object, path = '/calls'): Promise<{ ids: string[]; metas: object[] }> {
  const walked: string[] = [];
  const metas: object[] = [];
  let answer = await ask(filter, path === '/calls' ? { page: '1' } : {}, path);
  for (let pages = 0; pages < 100; pages += 1) {
    walked.push(...pickIds(answer.body.data));
    const next = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1];
    if (next === undefined) return { ids: walked, metas };
    answer = await account.admin.client.get(next);
    expect(answer.status).toBe(200);
    metas.push(answer.body.meta);
  }
  throw new Error('The next links do not end.');
}

test('LIST-04 the page is required and starts at 1', async () => {
  const missing = await ask(undefined, {});
  expect(missing.status).toBe(422);
  expect(missing.body.error.details).toMatchObject([{ path: 'page', code: 'required' }]);
  for (const page of ['0', '-1', 'x', '1.5']) expect((await ask(undefined, { page })).status).toBe(422);
  expect(pickIds((await ask(undefined, { page: '1' })).body.data)).toEqual(ids.slice(0, 100));
});

test('LIST-05 LIST-16 pages have 100 items or the filter’s limit, newest first, with totals in meta', async () => {
  const { body } = await ask(undefined, { page: '2' });
  expect(pickIds(body.data)).toEqual(ids.slice(100, 200));
  expect(body.meta).toEqual({
    totalItemCount: 250,
    totalPageCount: 3,
    itemsPerPage: 100,
    currentPage: 2,
    nextPage: 3,
    previousPage: 1,
  });
  const last = await ask(undefined, { page: '3' });
  expect(last.body.meta).not.toHaveProperty('nextPage');
  expect(last.headers).not.toHaveProperty('link');
  const short = await ask({ limit: 7, offset: 3 }, { page: '2' });
  expect(pickIds(short.body.data)).toEqual(ids.slice(10, 17));
  expect(short.body.meta).toMatchObject({ itemsPerPage: 7, totalItemCount: 250, totalPageCount: 36 });
  expect((await ask({ limit: 0 })).status).toBe(400);
  const clamped = await ask({ limit: 101 });
  expect(clamped.body.data).toHaveLength(100);
  expect(clamped.body.meta).toMatchObject({ itemsPerPage: 100, totalPageCount: 3 });
});

test('LIST-18 LIST-21 next links visit all calls exactly once, on pages without totals', async () => {
  const { ids: walked, metas } = await walk({ limit: 30 });
  expect(walked).toEqual(ids);
  expect(
    metas.slice(0, -1).every((meta) => Object.keys(meta).sort().join() === 'itemsPerPage,nextCursor'),
  ).toBe(true);
  expect(metas.at(-1)).toEqual({ itemsPerPage: 30 });
});

test('bug: LIST-11 the start time and the id can be ordered together, in one direction', async () => {
  const twoFields = { order: ['started_at DESC', 'id DESC'], limit: 100 };
  expect((await walk(twoFields)).ids).toEqual(ids);
  expect(pickIds((await ask({ order: ['date', 'id ASC'] })).body.data)).toEqual(
    ids.toReversed().slice(0, 100),
  );
  const opposite = await ask({ order: ['started_at DESC', 'id ASC'] });
  expect([opposite.status, opposite.body.error.message]).toEqual([
    400,
    'This list sorts `id` only in the direction of `started_at`.',
  ]);
  expect((await ask({ order: ['date DESC', 'started_at DESC'] })).body.error.details).toMatchObject([
    { code: 'GIVEN_TWICE' },
  ]);
});

test('LIST-18 next links keep filter and order', async () => {
  const { ids: walked } = await walk({ where: { duration: { gte: 5 } }, order: 'started_at ASC', limit: 20 });
  expect(walked).toHaveLength(125);
  expect(walked).toEqual(walked.toSorted());
});

test('LIST-18 calls started between two pages do not shift them', async () => {
  const first = await ask({ limit: 10 });
  const { nextCursor } = (await account.admin.client.list('/calls/search', { limit: 10 })).body.meta;
  const [newest] = await insertCalls(platform.database, account, [{ startedAt: new Date() }]);
  const second = await ask({ limit: 10 }, { cursor: nextCursor });
  expect([...pickIds(first.body.data), ...pickIds(second.body.data)]).toEqual(ids.slice(0, 20));
  await platform.database.query('delete from calls where id = $1', [newest]);
});

test('LIST-18 rejects an invalid cursor, one of another filter and one combined with a page', async () => {
  const { nextCursor } = (await account.admin.client.list('/calls/search', { limit: 10 })).body.meta;
  expect((await ask({ where: { duration: 1 } }, { cursor: nextCursor })).status).toBe(400);
  expect((await ask(undefined, { cursor: 'nonsense' })).status).toBe(400);
  expect((await ask(undefined, { cursor: nextCursor, page: '1' })).status).toBe(422);
});

test('CALL-41 the search accepts the filter with a cursor and up to 500 items', async () => {
  const whole = await ask(undefined, {}, '/calls/search');
  expect(pickIds(whole.body.data)).toEqual(ids);
  expect(whole.body.meta).toEqual({ itemsPerPage: 500 });
  expect(whole.headers).not.toHaveProperty('link');
  const { ids: walked, metas } = await walk({ where: { duration: { lt: 5 } }, limit: 40 }, '/calls/search');
  expect(walked).toHaveLength(125);
  expect(metas.at(-1)).toEqual({ itemsPerPage: 40 });
  expect((await ask({ limit: 500 }, {}, '/calls/search')).status).toBe(200);
  expect((await ask({ limit: 501 }, {}, '/calls/search')).body.meta).toEqual({ itemsPerPage: 500 });
  const byPage = await ask(undefined, { page: '1' }, '/calls/search');
  expect(byPage.status).toBe(400);
  expect(byPage.body.error.errorCode).toBe('UNKNOWN_PARAMETER');
  const included = await ask({ limit: 1, include: ['timeline', 'price'] }, {}, '/calls/search');
  expect(Object.keys(included.body.data[0])).toEqual(expect.arrayContaining(['timeline', 'price']));
});

test('LIMIT-03 a user may list calls 15 times per minute over all pages; searches are separate', async () => {
  const strict = await startPlatform();
  try {
    const { admin, addUser } = await createAccount(strict);
    const user = await addUser();
    const status = async (page: number) =>
      (await user.client.get('/calls', { query: { page: `${page}` } })).status;
    const statuses = await Promise.all(Array.from({ length: 16 }, (_, n) => status(n + 1)));
    expect(statuses.filter((each) => each === 200)).toHaveLength(15);
    expect(statuses.filter((each) => each === 429)).toHaveLength(1);
    expect((await user.client.get('/calls/search')).status).toBe(200);
    const other = await admin.client.get('/calls', { query: { page: '1' } });
    expect(other.status).toBe(200);
    expect(other.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '14' });
  } finally {
    await strict.close();
  }
});
