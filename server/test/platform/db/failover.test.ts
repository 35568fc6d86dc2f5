import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  inAccount,
  inTransaction,
  openDatabase,
  type Tx,
} from '../../../src/platform/db/database.ts';
import { queryPrepared } from '../../../src/platform/db/prepared.ts';
import { cloneDatabase, type TestDatabase } from '../../harness/database.ts';
import { type DatabaseLink, openDatabaseLink } from '../../harness/edge/database-link.ts';
import { until } from '../../harness/until.ts';

let database: TestDatabase;
let link: DatabaseLink;
let db: Database;

beforeEach(async () => {
  database = await cloneDatabase();
  await database.query('create table failover (text text)');
  await database.query('grant all on failover to public');
  link = await openDatabaseLink(database.serviceUrl);
  db = open();
});
afterEach(async () => {
  await db.close();
  await link.close();
  await database.drop();
});

const open = (maxWaitMs?: number): Database =>
  openDatabase(
    {
      url: link.url,
      poolSize: 2,
      applicationName: 'failover',
      statementTimeoutMs: 60_000,
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    },
    () => undefined,
  );

const insert = async (tx: Tx, text: string): Promise<void> =>
  void (await sql`insert into failover values (${text})`.execute(tx));
const texts = async (): Promise<string[]> =>
  (await database.query<{ text: string }>('select text from failover')).map(({ text }) => text);
const terminate = (): Promise<unknown> =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'failover'`,
  );

test('ERR-15 work whose connection is lost before its commit runs again and is committed once', async () => {
  let runs = 0;
  const result = await inTransaction(db, async (tx) => {
    runs += 1;
    await insert(tx, `run ${runs}`);
    if (runs === 1) await terminate();
    await insert(tx, 'second');
    return runs;
  });
  expect(result).toBe(2);
  expect(await texts()).toEqual(['run 2', 'second']);
});

test('ERR-15 work whose connection is lost during its commit is refused, because its outcome is unknown', async () => {
  await database.query(`
    create function wait_at_commit() returns trigger language plpgsql as $$
    begin perform pg_sleep(60); return null; end $$`);
  await database.query(`
    create constraint trigger at_commit after insert on failover deferrable initially deferred
    for each row execute function wait_at_commit()`);
  let runs = 0;
  const refused = expect(
    inTransaction(db, async (tx) => {
      runs += 1;
      await insert(tx, 'once');
    }),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const isCommitting = async (): Promise<boolean> =>
    (
      await database.query(
        `select from pg_stat_activity where application_name = 'failover' and query = 'commit' and state = 'active'`,
      )
    ).length > 0;
  await until(isCommitting, 'the transaction commits');
  await terminate();
  await refused;
  expect(runs).toBe(1);
});

test('ERR-15 work waits for a database that accepts no connections', async () => {
  await inTransaction(db, (tx) => insert(tx, 'before'));
  link.cut();
  const waiting = inTransaction(db, (tx) => insert(tx, 'after'));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  link.mend();
  await waiting;
  expect(await texts()).toEqual(['before', 'after']);
});

test('ERR-08 ERR-15 work that waited too long for a database is refused', async () => {
  await db.close();
  db = open(500);
  link.cut();
  const startedMs = performance.now();
  await expect(inTransaction(db, (tx) => insert(tx, 'never'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 2,
  });
  expect(performance.now() - startedMs).toBeGreaterThan(300);
});

test('ERR-15 an error of the work itself is thrown without another run', async () => {
  let runs = 0;
  const failing = inTransaction(db, async (tx) => {
    runs += 1;
    await insert(tx, 'rolled back');
    throw new Error('Connection terminated, says the work');
  });
  await expect(failing).rejects.toThrow();
  expect(runs).toBe(1);
  expect(await texts()).toEqual([]);
});

test('ERR-15 work that must run once waits for a database, and is refused if its connection is lost', async () => {
  link.cut();
  let runs = 0;
  const once = inAccount(
    db,
    1,
    async (tx) => {
      runs += 1;
      await insert(tx, 'once');
      await terminate();
      await insert(tx, 'never');
    },
    { runsOnce: true },
  );
  const refused = expect(once).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  link.mend();
  await refused;
  expect(runs).toBe(1);
  expect(await texts()).toEqual([]);
});

test('ERR-15 work that a former primary refuses runs again in another connection', async () => {
  const pids: unknown[] = [];
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    pids.push(rows[0]?.pid);
    if (pids.length === 1) await sql`set transaction read only`.execute(tx);
    await insert(tx, 'written');
  });
  expect(pids).toHaveLength(2);
  expect(pids[0]).not.toBe(pids[1]);
  expect(await texts()).toEqual(['written']);
});

test('ERR-15 a single statement waits for a connection; it is repeated only if it is repeatable', async () => {
  const query = (text: string) => ({ name: `test-${text.length}`, text, values: [] });
  link.cut();
  const waiting = queryPrepared<{ one: number }>(db, query('select 1 as one'));
  link.mend();
  expect(await waiting).toEqual([{ one: 1 }]);

  await database.query('create sequence runs');
  await database.query('grant all on runs to public');
  const end = query(`select pg_sleep(case nextval('runs') when 1 then 60 else 0 end)`);
  const interrupt = async (): Promise<void> => {
    await until(isActive, 'the statement runs');
    await terminate();
  };
  const isActive = async (): Promise<boolean> =>
    (
      await database.query(
        `select from pg_stat_activity where application_name = 'failover' and state = 'active' and query like '%pg_sleep%'`,
      )
    ).length > 0;
  const [repeated] = await Promise.all([queryPrepared(db, end, { isRepeatable: true }), interrupt()]);
  expect(repeated).toHaveLength(1);
  await database.query(`select setval('runs', 1, false)`);
  const [refused] = await Promise.allSettled([queryPrepared(db, end), interrupt()]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
});
