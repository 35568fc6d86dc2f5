import { afterAll, beforeAll, expect, test } from 'vitest';
import { callJobs, indexCallsQueue } from '../../../../src/contexts/calls/calls.jobs.ts';
import { indexCalls } from '../../../../src/contexts/calls/search/index-calls.ts';
import { jobSchedule } from '../../../../src/main/jobs.ts';
import { startWorking } from '../../../../src/platform/jobs.ts';
import { type CallRow, insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

const minuteMs = 60_000;
let startMs: number;
const at = (minute: number) => new Date(startMs + minute * minuteMs);

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform);
  startMs = platform.clock.now().getTime() - 120 * minuteMs;
});
afterAll(() => platform.close());

const index = () => indexCalls(platform.api.base, AbortSignal.timeout(120_000));

/** Indexes calls that a test inserted with old ids. */
const indexAll = async () => {
  await platform.database.query(`update call_indexing set until = null where pass = 'all'`);
  await index();
};

async function add(calls: Partial<CallRow>[], of = account): Promise<string[]> {
  return await insertCalls(
    platform.database,
    of,
    calls.map((call, n) => ({ startedAt: at(n), ...call })),
  );
}

const search = (q: string, filter?: object, query: Record<string, string> = {}, of = account) =>
  of.admin.client.list('/calls/search', filter, { q, ...query });
const idsOf = (data: { id: string }[]) => data.map(({ id }) => id);
const found = async (...asked: Parameters<typeof search>) => {
  const { status, body, text } = await search(...asked);
  expect(status, text).toBe(200);
  return idsOf(body.data);
};

test('SEARCH-01 SEARCH-02 finds calls by name, number, e-mail, extension and metadata, newest first', async () => {
  const [first = '', second = '', third = ''] = await add([
    { firstName: 'João', lastName: 'Avila', email: 'joao@um.test', from: '2001', to: '5521998765432' },
    { firstName: 'Joana', lastName: 'Prado', email: 'jo.prado@dois.test', metadata: { deal: 'Ação-77' } },
    { firstName: 'Bia', lastName: 'Ávila', email: 'bia@tres.test', metadata: { note: 'Retornar à João' } },
  ]);
  await indexAll();
  for (const [q, ids] of [
    ['JOAO', [third, first]],
    ['joa', [third, second, first]],
    ['avila joão', [third, first]],
    ['Ávila bia', [third]],
    ['(21) 99876-5432', [first]],
    ['99876', [first]],
    ['2001', [first]],
    ['jo.prado@dois', [second]],
    ['prado', [second]],
    ['acao-77', [second]],
    ['77', [second]],
    [second, [second]],
    ['joao prado', []],
    ['…', []],
  ] as const)
    expect([q, await found(q)]).toEqual([q, ids]);
  expect(await found('joa', { where: { email: { neq: 'joao@um.test' } } })).toEqual([third, second]);
  expect(await found('joa', { where: { date: { lt: at(1).toISOString() } } })).toEqual([first]);
  expect(await found('joa', { order: 'started_at ASC', limit: 2 })).toEqual([first, second]);
  const csv = await account.admin.client.list('/calls/export', { fields: ['id'] }, { q: 'joa' });
  expect(csv.text.trim().split('\r\n')).toEqual(['id', third, second, first]);
});

test('SEARCH-01 an empty search is none; an invalid one and an unsupported order are refused', async () => {
  expect((await search('')).body.data.length).toBeGreaterThanOrEqual(3);
  const long = await search('a b c d e f g h i');
  expect(long.status).toBe(422);
  expect(long.body.error.details).toMatchObject([{ path: 'q', code: 'too_many_words' }]);
  expect((await search('x'.repeat(201))).status).toBe(422);
  const week = { date: { gte: at(-7 * 24 * 60).toISOString() } };
  for (const filter of [{ order: 'duration DESC', where: week }, { offset: 1 }]) {
    const { status, body } = await search('joa', filter);
    expect([status, body.error.errorCode]).toEqual([400, 'INVALID_FILTER']);
  }
});

test('SEARCH-03 cursor pages of a search have no gaps or repetitions, and belong to their words', async () => {
  const ids = (await add(Array.from({ length: 25 }, () => ({ lastName: 'Paginado' })))).toReversed();
  await indexAll();
  for (const [order, expected] of [
    ['started_at DESC', ids],
    ['started_at ASC', ids.toReversed()],
  ] as const) {
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await search('paginado', { order, limit: 10 }, cursor === undefined ? {} : { cursor });
      walked.push(...idsOf(body.data));
      cursor = body.meta.nextCursor;
    } while (cursor !== undefined && walked.length < 100);
    expect(walked).toEqual(expected);
  }
  const { nextCursor } = (await search('paginado', { limit: 10 })).body.meta;
  const other = await search('pagina', { limit: 10 }, { cursor: nextCursor });
  expect(other.body.error.details).toMatchObject([{ code: 'INVALID_CURSOR' }]);
});

test('SEARCH-05 a search finds calls of its own account only', async () => {
  const other = await createAccount(platform);
  const [theirs] = await add([{ firstName: 'Segredo' }], other);
  const [ours] = await add([{ firstName: 'Segredo' }]);
  await indexAll();
  expect(await found('segredo')).toEqual([ours]);
  expect(await found('segredo', undefined, {}, other)).toEqual([theirs]);
  expect(await found(theirs ?? '')).toEqual([]);
});

test('SEARCH-04 a call that was written late is indexed, a step that fails is repeated', async () => {
  const now = platform.clock.now().getTime();
  const [recent] = await add([{ firstName: 'Recente', startedAt: new Date(now - 4_000) }]);
  await index();
  expect(await found('recente')).toEqual([recent]);
  // Committed after later calls, and by a process whose clock is ahead.
  const late = await add([
    { firstName: 'Atrasada', startedAt: new Date(now - 10_000) },
    { firstName: 'Atrasada', startedAt: new Date(now + 3_000) },
  ]);
  await platform.database.query(
    `alter table call_words add constraint no_words check (word <> 'atrasada') not valid`,
  );
  await expect(index()).rejects.toThrow(/no_words/);
  expect(await found('atrasada')).toEqual([]);
  await platform.database.query('alter table call_words drop constraint no_words');
  await index();
  expect(await found('atrasada')).toEqual(late.toReversed());
  // Too late for the pass over new calls: an hour later, the pass over all calls adds it.
  const [old] = await add([{ firstName: 'Perdida', startedAt: new Date(now - 60_000) }]);
  await index();
  expect(await found('perdida')).toEqual([]);
  const later = { now: () => new Date(now + 2 * 60 * minuteMs) };
  await indexCalls({ ...platform.api.base, clock: later }, AbortSignal.timeout(120_000));
  expect(await found('perdida')).toEqual([old]);
});

test('SEARCH-04 the worker writes the words of new calls', async () => {
  // The test above moved the pass to the future.
  await platform.database.query(`update call_indexing set until = $1 where pass = 'new'`, [
    platform.clock.now(),
  ]);
  const { db } = platform.api.base;
  const schedule = { [indexCallsQueue.name]: jobSchedule[indexCallsQueue.name] ?? '' };
  const working = await startWorking(db, callJobs(platform.api.base), schedule, (error) => {
    throw error;
  });
  try {
    const [id] = await add([{ firstName: 'Imediata', startedAt: platform.clock.now() }]);
    await expect.poll(() => found('imediata')).toEqual([id]);
  } finally {
    await working.stop(10_000);
  }
});
