import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportAudit } from '../../../src/contexts/billing/ledger/audit-ledger.ts';
import { sweepCalls } from '../../../src/contexts/calls/lifecycle/sweep-calls.ts';
import { receiveRecords } from '../../../src/contexts/telephony/nodes/receive-records.ts';
import { createInstruments } from '../../../src/main/observe/instruments.ts';
import { exportShippingMetrics } from '../../../src/main/observe/shipping.ts';
import { exportStateMetrics } from '../../../src/main/observe/state.ts';
import { inTransaction, openDatabase } from '../../../src/platform/db/database.ts';
import { createMetrics, type Metrics } from '../../../src/platform/telemetry/metrics.ts';
import { secondsAfter } from '../../../src/platform/time.ts';
import { addDeck } from '../../harness/fixtures/billing.ts';
import { type CallingAccount, createCallingAccount } from '../../harness/fixtures/call-limits.ts';
import { addExpectedRecording } from '../../harness/fixtures/recordings.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let calling: CallingAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  calling = await createCallingAccount(platform);
  await calling.cap({ callsPerSecond: 1_000 });
});
afterAll(() => platform.close());

/** Returns the value of a series, or undefined if it is absent. */
async function readMetric(
  series: string,
  metrics: Metrics = platform.api.base.metrics,
): Promise<number | undefined> {
  const [name = '', labels = ''] = series.replace('}', '').split('{');
  const required = labels.split(',').filter(Boolean);
  const lines = (await metrics.text()).split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
  const line = lines.find((line) => required.every((label) => line.includes(label)));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Returns the state metrics as a worker exports them, without the cache. */
function createStateMetrics({ api }: Platform): Metrics {
  const metrics = createMetrics('worker');
  exportStateMetrics(createInstruments(metrics, 'worker'), api.base.db);
  return metrics;
}

test('an unclaimed call is counted as ended and as reconciled', async () => {
  const { db, observer } = platform.api.base;
  await calling.call();
  const clock = { now: () => secondsAfter(platform.clock.now(), 10) };
  await sweepCalls({ db, clock, observer }, new AbortController().signal);
  expect(await readMetric('disca_call_corrections_total{how="unclaimed"}')).toBe(1);
  expect(await readMetric('disca_calls_ended_total{kind="click",cause="NORMAL_TEMPORARY_FAILURE"}')).toBe(1);
  expect(await readMetric('disca_calls_answered_total{kind="click"}')).toBe(0);
});

test('a call ended only by its detail record is counted as reconciled', async () => {
  const { db, clock, observer } = platform.api.base;
  const { body } = await calling.call();
  await platform.database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ('m1', $1, '127.9.0.1:5060', now())`,
    [Buffer.alloc(32)],
  );
  await platform.database.query(`update live_calls set node = 'm1', claimed_at = now()`);
  const now = Date.now() / 1000;
  const end = {
    endedOnNode: now + 3,
    answeredOnNode: now,
    cause: 16,
    sipStatus: null,
    dialStatus: 'ANSWER',
    endedBy: 'destination' as const,
  };
  await receiveRecords({ db, clock, observer }, 'm1', [{ callId: body.id, end }], true);
  expect(await readMetric('disca_call_corrections_total{how="record"}')).toBe(1);
  expect(await readMetric('disca_calls_ended_total{kind="click",cause="NORMAL_CLEARING"}')).toBe(1);
  expect(await readMetric('disca_calls_answered_total{kind="click"}')).toBe(1);
});

test('a call rejected for lack of credit is counted by its reason', async () => {
  await calling.cap({ dailySpendMicros: 0 });
  expect((await calling.call()).status).toBe(403);
  await calling.cap({ dailySpendMicros: null });
  expect(await readMetric('disca_call_refusals_total{asked_by="api",code="SPEND_LIMIT_REACHED"}')).toBe(1);
});

test('exports the number and age of pending items in the database', async () => {
  await addExpectedRecording(platform, calling.id);
  await calling.call();
  await platform.database.query(`
    update recordings set expected_at = now() - interval '100 s';
    update live_calls set requested_at = now() - interval '4 s';
    update event_outbox set occurred_at = now() - interval '50 s';
    insert into pgboss.job (name, data, start_after) values ('mail.send', '{}', now() - interval '70 s');
    insert into ledger_audits (at, differences) values (now() - interval '1 hour', 7), (now() - interval '1 minute', 2)`);
  const metrics = createStateMetrics(platform);
  const near = async (series: string, seconds: number): Promise<void> => {
    const value = (await readMetric(series, metrics)) ?? 0;
    expect(value, series).toBeGreaterThanOrEqual(seconds);
    expect(value, series).toBeLessThan(seconds + 30);
  };
  await near('disca_recording_oldest_seconds', 100);
  await near('disca_call_oldest_wait_seconds', 4);
  await near('disca_event_oldest_seconds', 50);
  await near('disca_queue_oldest_seconds{queue="mail.send"}', 70);
  expect(await readMetric('disca_queue_oldest_seconds{queue="webhooks.first"}', metrics)).toBe(0);
  expect(await readMetric('disca_recordings_awaited', metrics)).toBe(1);
  expect(await readMetric('disca_live_calls{state="queued"}', metrics)).toBe(1);
  expect(await readMetric('disca_nodes{state="silent"}', metrics)).toBe(1);
  expect(await readMetric('disca_ledger_differences', metrics)).toBe(2);
});

test('registrations are counted as they change, and reading their number reads none of them', async () => {
  const { query } = platform.database;
  const registrations = () => readMetric('disca_registrations', createStateMetrics(platform));
  const register = (from: number, to: number, seconds: number) =>
    query(
      `insert into edge.location (ruid, username, domain, contact, expires, callid, cseq, last_modified)
       select 'r' || n, n, 'empresa.test', 'sip:' || n, extract(epoch from now())::bigint + $3, n, 1, 0
         from generate_series($1::int, $2::int) as n`,
      [from, to, seconds],
    );
  // These are there before the first count.
  await register(1, 500, 600);
  expect(await registrations()).toBe(500);
  await register(501, 2_000, 600);
  await register(2_001, 2_007, -5);
  await query(`delete from edge.location where username::int between 11 and 20`);
  await query('update edge.location set expires = expires + 10 where username::int = 1');
  expect(await registrations()).toBe(1_990);
  await query('analyze edge.location');
  await inTransaction(platform.api.base.db, async (tx) => {
    const read = sql<{ rows: number }>`
      select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
       where schemaname = 'edge' and relname = 'location'`;
    const before = (await read.execute(tx)).rows[0]?.rows ?? 0;
    await sql`select * from service_state()`.execute(tx);
    // The expired ones.
    expect(((await read.execute(tx)).rows[0]?.rows ?? 0) - before).toBeLessThanOrEqual(7);
  });
  await query('delete from edge.location');
  expect(await registrations()).toBe(0);
});

test('a ledger audit stores its result', async () => {
  const { db, log, clock } = platform.api.base;
  expect(await readMetric('disca_ledger_differences', createStateMetrics(platform))).toBe(2);
  await reportAudit({ db, log, clock }, new AbortController().signal);
  expect(await readMetric('disca_ledger_differences', createStateMetrics(platform))).toBe(0);
});

test('while the database does not respond, its metrics are absent and all others present', async () => {
  const metrics = createMetrics('worker');
  const unreachable = {
    url: 'postgres://127.0.0.1:1/unreachable',
    poolSize: 2,
    applicationName: 'unreachable',
    statementTimeoutMs: 500,
  };
  const db = openDatabase(unreachable, () => undefined);
  exportStateMetrics(createInstruments(metrics, 'worker'), db);
  expect(await readMetric('disca_event_oldest_seconds', metrics)).toBeUndefined();
  expect(await readMetric('disca_state_read_failures_total', metrics)).toBe(1);
  expect(await readMetric('process_resident_memory_bytes', metrics)).toBeGreaterThan(0);
  await db.close();
});

test('a shipper exports what is left on its media node', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'disca-shipping-'));
  const recordsFile = join(directory, 'cdr.json');
  const metrics = createMetrics('shipper');
  exportShippingMetrics(createInstruments(metrics, 'shipper'), {
    recordsFile,
    recordingsDirectory: directory,
  })();
  expect(await readMetric('disca_shipper_records_behind_bytes', metrics)).toBe(0);
  const file = join(directory, 'one.wav');
  await writeFile(file, 'audio');
  await utimes(file, new Date(), secondsAfter(new Date(), -60));
  await writeFile(recordsFile, '{}\n');
  expect(await readMetric('disca_shipper_recordings_waiting', metrics)).toBe(1);
  expect(await readMetric('disca_shipper_recording_oldest_seconds', metrics)).toBeGreaterThanOrEqual(59);
  expect(await readMetric('disca_shipper_records_behind_bytes', metrics)).toBe(3);
  expect(await readMetric('disca_shipper_failures_total', metrics)).toBe(1);
  await rm(directory, { recursive: true });
});
