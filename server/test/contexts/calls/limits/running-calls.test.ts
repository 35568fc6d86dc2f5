import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callJobs, correctCountersQueue } from '../../../../src/contexts/calls/calls.jobs.ts';
import { jobSchedule } from '../../../../src/main/jobs.ts';
import { inAccount } from '../../../../src/platform/db/database.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
  tally,
} from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

async function createUnlimited(): Promise<CallingAccount> {
  const account = await createCallingAccount(platform);
  await account.cap({ callsPerSecond: 1_000, concurrentCalls: 6 });
  return account;
}

/** Returns the counter, and the calls it counts. */
async function count({ id }: CallingAccount): Promise<{ counted: number; running: number }> {
  const [row] = await platform.database.query<{ counted: number; running: number }>(
    `select (select sum(running_calls)::integer from ledger_balances where account_id = $1) as counted,
            (select count(*)::integer from live_calls where account_id = $1 and kind <> 'inbound') as running`,
    [id],
  );
  return row ?? { counted: -1, running: -1 };
}

const correct = () =>
  callJobs({ ...platform.api.base, callRetentionMonths: 12 })[correctCountersQueue.name]?.(
    {},
    { id: 'correct', signal: AbortSignal.timeout(120_000) },
  );

test('CALL-47 counts running calls exactly while calls are placed and ended concurrently', async () => {
  const account = await createUnlimited();
  const client = account.admin.client;
  const answers = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const placed = await account.call();
      if (placed.status === 200) await client.post(`/calls/${placed.body.id}/hangup`);
      return placed;
    }),
  );
  expect(tally(answers).accepted).toBeGreaterThanOrEqual(6);
  expect(await count(account)).toEqual({ counted: 0, running: 0 });
  const second = await Promise.all(Array.from({ length: 9 }, () => account.call()));
  expect(tally(second)).toEqual({ accepted: 6, CAPACITY_EXCEEDED: 3 });
  expect(await count(account)).toEqual({ counted: 6, running: 6 });
});

const blocked = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like $1`;

/** Kills the connection that executes the function, while it waits for the locked balance. */
async function killWhileRunning(account: CallingAccount, name: string, work: () => Promise<unknown>) {
  const locker = new pg.Client({ connectionString: platform.database.ownerUrl });
  await locker.connect();
  await locker.query('begin');
  await locker.query('select from ledger_balances where account_id = $1 for update', [account.id]);
  const working = work();
  let found: { pid: number }[] = [];
  while (found.length === 0) {
    await sleep(10);
    found = await platform.database.query<{ pid: number }>(blocked, [`%${name}%`]);
  }
  for (const { pid } of found) await platform.database.query('select pg_terminate_backend($1)', [pid]);
  const outcome = await working;
  await locker.query('rollback');
  await locker.end();
  return outcome;
}

test('CALL-47 a killed connection leaves neither a call nor a counted slot, and no call unended', async () => {
  const account = await createUnlimited();
  const placed = (await account.call()).body.id;
  expect(await killWhileRunning(account, 'place_call', () => account.call())).toMatchObject({ status: 503 });
  expect(await count(account)).toEqual({ counted: 1, running: 1 });
  const hangUp = () => account.admin.client.post(`/calls/${placed}/hangup`);
  expect(await killWhileRunning(account, 'end_call', hangUp)).toMatchObject({ status: 503 });
  expect(await count(account)).toEqual({ counted: 1, running: 1 });
  expect((await hangUp()).status).toBe(200);
  expect(await count(account)).toEqual({ counted: 0, running: 0 });
});

test('CALL-47 the previous release counts in the same place', async () => {
  const account = await createUnlimited();
  const { db, clock } = platform.api.base;
  const reserve = (perSecond: number | null, concurrent: number | null) =>
    inAccount(db, account.id, async (tx) => {
      const { rows } = await sql<{ outcome: string }>`
        select reserve_call_slot(${clock.now()}, ${perSecond}, ${concurrent}) as outcome`.execute(tx);
      if (rows[0]?.outcome !== 'taken') throw new Error(rows[0]?.outcome);
    });
  const placed = (await account.call()).body.id;
  await expect(reserve(1, null)).rejects.toThrow('rate');
  await expect(reserve(null, 1)).rejects.toThrow('concurrency');
  expect(await count(account)).toEqual({ counted: 1, running: 1 });
  for (let slot = 0; slot < 5; slot += 1) await reserve(1_000, 6);
  expect(tally([await account.call()])).toEqual({ CAPACITY_EXCEEDED: 1 });
  await expect(reserve(1_000, 6)).rejects.toThrow('concurrency');

  const finish = {
    call_id: placed,
    ended_at: clock.now(),
    duration: 0,
    moment: {},
    hangup_event: crypto.randomUUID(),
    price_event: crypto.randomUUID(),
  };
  await inAccount(db, account.id, (tx) =>
    sql`select finish_call(${account.id}, ${JSON.stringify(finish)})`.execute(tx),
  );
  expect(await count(account)).toEqual({ counted: 5, running: 0 });
  expect(tally([await account.call()])).toEqual({ accepted: 1 });
});

test('CALL-54 calls from outside are not counted, by either release, nor added by the correction', async () => {
  const account = await createUnlimited();
  const { db, clock } = platform.api.base;
  const placed = (await account.call()).body.id;
  await inAccount(db, account.id, (tx) =>
    sql`select reserve_call_slot(${clock.now()}, ${null}, ${6})`.execute(tx),
  );
  expect(await count(account)).toEqual({ counted: 1, running: 1 });
  // An inbound call that the previous definitions counted.
  await platform.database.query(`update live_calls set kind = 'inbound' where call_id = $1`, [placed]);
  await correct();
  expect(await count(account)).toEqual({ counted: 0, running: 0 });
  const own = (await account.call()).body.id;
  expect((await account.admin.client.post(`/calls/${placed}/hangup`)).status).toBe(200);
  expect(await count(account)).toEqual({ counted: 1, running: 1 });
  expect((await account.admin.client.post(`/calls/${own}/hangup`)).status).toBe(200);
  expect(await count(account)).toEqual({ counted: 0, running: 0 });
});

test('CALL-47 a wrong number is corrected', async () => {
  const [high, low] = [await createUnlimited(), await createUnlimited()];
  await Promise.all([high.call(), low.call(), low.call()]);
  await platform.database.query('update ledger_balances set running_calls = 6 where account_id = $1', [
    high.id,
  ]);
  await platform.database.query('update ledger_balances set running_calls = 0 where account_id = $1', [
    low.id,
  ]);
  expect(tally([await high.call()])).toEqual({ CAPACITY_EXCEEDED: 1 });
  await correct();
  expect(await count(high)).toEqual({ counted: 1, running: 1 });
  expect(await count(low)).toEqual({ counted: 2, running: 2 });
  expect(tally([await high.call()])).toEqual({ accepted: 1 });
  expect(jobSchedule[correctCountersQueue.name]).toEqual({ everySeconds: 60 });
});
