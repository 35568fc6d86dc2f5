import { afterAll, beforeAll, expect, test } from 'vitest';
import { queues } from '../../src/main/jobs.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type JobHandlers, startWorking } from '../../src/platform/jobs.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const allQueues = queues.map(({ name }) => name).filter((name) => !/^webhooks\.(first|retry)$/.test(name));

const handlersOf = (names: string[], handle: () => Promise<void> = async () => undefined): JobHandlers =>
  Object.fromEntries(names.map((name) => [name, handle]));

/** Wraps the database so that every statement outside a transaction is recorded. */
function recordStatements(db: Database): { db: Database; texts: string[] } {
  const texts: string[] = [];
  const pool = new Proxy(db.pool, {
    get(target, key) {
      if (key !== 'query') return Reflect.get(target, key, target);
      return (text: string, values: unknown[]) => {
        texts.push(text);
        return target.query(text, values);
      };
    },
  });
  return { db: { ...db, pool }, texts };
}

const isPoll = (text: string): boolean => text.includes('unnest($1::text[]) as q');
/** The statement with which pg-boss takes jobs of one queue. */
const isFetch = (text: string): boolean =>
  text.includes('FOR UPDATE OF j SKIP LOCKED') && !text.includes('locked_parents');

/** Returns how many statements take jobs of a queue while `polls` polls pass without a job. */
async function countWhileIdle(names: string[], polls: number): Promise<number> {
  const { db, texts } = recordStatements(platform.api.base.db);
  const working = await startWorking(db, handlersOf(names), {}, () => undefined);
  const pollsSoFar = () => texts.filter(isPoll).length;
  try {
    // Every queue fetches once when it starts.
    await expect.poll(pollsSoFar).toBeGreaterThanOrEqual(3);
    await expect.poll(() => texts.filter(isFetch).length).toBeGreaterThanOrEqual(names.length);
    const [before, from] = [texts.length, pollsSoFar()];
    await expect.poll(pollsSoFar).toBeGreaterThanOrEqual(from + polls);
    return texts.slice(before).filter(isFetch).length;
  } finally {
    await working.stop(2_000);
  }
}

test('without jobs, one statement polls all queues, whatever their number', async () => {
  const polls = 6;
  // pg-boss itself looks once a minute.
  for (const names of [allQueues.slice(0, 2), allQueues])
    expect(await countWhileIdle(names, polls)).toBeLessThanOrEqual(names.length);
});

test('a due job of any queue starts at the next poll', async () => {
  const done: string[] = [];
  const handlers = Object.fromEntries(allQueues.map((name) => [name, async () => void done.push(name)]));
  const { db } = platform.api.base;
  const working = await startWorking(db, handlers, {}, () => undefined);
  try {
    for (const name of allQueues)
      await db.kysely.transaction().execute((tx) => platform.api.money.jobs.enqueue(tx, name, {}));
    // Well before pg-boss polls the queue.
    await expect.poll(() => done.toSorted()).toEqual(allQueues.toSorted());
  } finally {
    await working.stop(2_000);
  }
});

test('finding orphaned jobs reads active jobs only, however many wait', async () => {
  await platform.database.query(
    `insert into pgboss.job (name, state, start_after) select 'mail.send', 'created', now() + interval '1 day'
       from generate_series(1, 5000)`,
  );
  await platform.database.query('analyze pgboss.job_common');
  const [plan] = await platform.database.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
    `explain (analyze, format json) select from pgboss.job_common j where j.state = 'active'
        and (j.heartbeat_on + j.heartbeat_seconds * interval '1 s' < now()
          or j.started_on + j.expire_seconds * interval '1 s' < now())`,
  );
  expect(plan?.['QUERY PLAN'][0].Plan).toMatchObject({ 'Index Name': 'job_active', 'Actual Rows': 0 });
  expect(plan?.['QUERY PLAN'][0].Plan['Rows Removed by Filter'] ?? 0).toBe(0);
});
