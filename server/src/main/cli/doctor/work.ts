import { sql } from 'kysely';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const slowSeconds = 60;
const stoppedSeconds = 600;
const worrySkewMs = 2_000;
const auditSeconds = 26 * 3600;
/** Fewer attempts per hour than this are not significant. */
const enoughAttempts = 20;
const enoughEndpoints = 3;

const databaseAdvice = 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.';

function ask<Row>(settings: Settings, query: ReturnType<typeof sql<Row>>): Promise<Row | undefined> {
  const { DATABASE_OWNER_URL: url } = settings;
  if (!url) throw new Error('DATABASE_OWNER_URL is not set');
  return withDatabase(url, async ({ kysely }) => (await query.execute(kysely)).rows[0]);
}

/** Checks the backlog: due jobs and unnumbered events wait only for a worker. */
export const checkWork = (settings: Settings): Check => ({
  part: 'worker',
  otherwise: databaseAdvice,
  async look() {
    const row = await ask(
      settings,
      sql<{ jobs: number; jobSeconds: number; eventSeconds: number }>`
        select * from
          (select count(*)::int as jobs,
                  coalesce(extract(epoch from now() - min(due.since)), 0)::float8 as "jobSeconds"
             from (select start_after as since from pgboss.job where state < 'active' and start_after <= now()
                   union all
                   select due_at from delivery_queue
                    where taken_until is null and not is_held and due_at <= now()) as due (since)) as due,
          (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8 as "eventSeconds"
             from events where account_sequence is null) as unnumbered`,
    );
    const { jobs = 0, jobSeconds = 0, eventSeconds = 0 } = row ?? {};
    const oldest = Math.max(jobSeconds, eventSeconds);
    const says = `${jobs} jobs are due, the oldest has waited ${Math.round(oldest)} s`;
    const advice =
      'Check that a worker process runs, and read its log. If it is busy all the time, start another one.';
    if (oldest > stoppedSeconds) return fault('worker', says, advice);
    return oldest > slowSeconds ? warning('worker', says, advice) : ok('worker', says);
  },
});

export const checkClock = (settings: Settings, now: () => number): Check => ({
  part: 'clock',
  otherwise: databaseAdvice,
  async look() {
    const askedMs = now();
    const row = await ask(
      settings,
      sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    );
    const skewMs = Math.round((row?.ms ?? 0) - (askedMs + now()) / 2);
    if (Math.abs(skewMs) <= worrySkewMs)
      return ok('clock', `the clocks of this machine and the database differ by ${skewMs} ms`);
    return fault(
      'clock',
      `the clocks of this machine and the database differ by ${skewMs} ms`,
      'Synchronise the clocks of all machines with NTP: links, logins and signatures expire by them.',
    );
  },
});

export const checkLedger = (settings: Settings): Check => ({
  part: 'ledger',
  otherwise: databaseAdvice,
  async look() {
    const row = await ask(
      settings,
      sql<{ differences: number; seconds: number }>`
        select differences, extract(epoch from now() - at)::float8 as seconds
          from ledger_audits order by at desc limit 1`,
    );
    const run = 'Run: disca ledger audit';
    if (!row)
      return warning('ledger', 'the ledger was never audited', `${run}. The worker does it every morning.`);
    if (row.differences > 0)
      return fault(
        'ledger',
        `the last audit found ${row.differences} differences`,
        `${run}, and do not delete anything.`,
      );
    if (row.seconds > auditSeconds)
      return warning(
        'ledger',
        `the last audit was ${Math.round(row.seconds / 3600)} hours ago`,
        `${run}, and check that a worker runs.`,
      );
    return ok('ledger', 'the last audit was clean');
  },
});

/**
 * Checks webhook deliveries. One failing endpoint is its owner's problem; many unreachable endpoints indicate a problem
 * of this installation.
 */
export const checkWebhooks = (settings: Settings): Check => ({
  part: 'webhooks',
  otherwise: databaseAdvice,
  async look(): Promise<Finding> {
    const row = await ask(
      settings,
      sql<{ attempts: number; unreached: number; endpoints: number; failing: number }>`
        select count(*)::int as attempts,
               count(*) filter (where a.outcome = any(${unreached}))::int as unreached,
               count(distinct d.integration_id) filter (where a.outcome = any(${unreached}))::int as endpoints,
               (select count(*)::int from integrations where failing_since is not null and disabled_at is null) as failing
          from delivery_attempts a join deliveries d on d.id = a.delivery_id
         where a.at > now() - interval '1 hour' and a.delivery_id >= uuid_floor(now() - interval '4 days')`,
    );
    const { attempts = 0, unreached: lost = 0, endpoints = 0, failing = 0 } = row ?? {};
    if (attempts >= enoughAttempts && lost > attempts / 2 && endpoints >= enoughEndpoints) {
      return fault(
        'webhooks',
        `${lost} of ${attempts} attempts in the last hour did not connect, at ${endpoints} endpoints`,
        'Check that the worker can resolve names and connect to the internet: DNS, routes, firewall.',
      );
    }
    if (failing > 0) {
      return warning(
        'webhooks',
        `${failing} endpoints are failing; ${attempts} attempts in the last hour`,
        'Their owners see the reason under the deliveries of the integration. Nothing is lost: deliveries are retried for three days.',
      );
    }
    return ok('webhooks', `${attempts} attempts in the last hour, no failing endpoints`);
  },
});

const unreached = ['dns_failed', 'connect_failed', 'timeout'];
