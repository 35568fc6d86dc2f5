import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { SendResult } from '../ports.ts';

export interface QueuedDelivery {
  id: string;
  integrationId: number;
  isRetry: boolean;
}

/** Enqueues deliveries in the transaction that planned or renewed them. */
export async function enqueueDeliveries(tx: Tx, deliveries: QueuedDelivery[], due: Date): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const integrations = deliveries.map(({ integrationId }) => integrationId);
  const retries = deliveries.map(({ isRetry }) => isRetry);
  await executePrepared(
    tx,
    prepared`select enqueue_deliveries(${ids}::uuid[], ${integrations}::bigint[], ${retries}::boolean[], ${due})`,
  );
}

/** Everything needed for one webhook request. */
export interface DueDelivery {
  id: string;
  accountId: number;
  integrationId: number;
  attempts: number;
  roundAttempts: number;
  eventId: string;
  type: string;
  subjectId: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  accountSequence: number;
  url: string;
  version: string;
  secretSealed: string;
  previousSecretSealed: string | null;
  previousSecretUntil: Date | null;
  isEnabled: boolean;
  domain: string;
  timezone: string;
  mode: 'test' | 'live';
  /** Set only if the event does not contain its call. */
  call: Record<string, unknown> | null;
  host: string;
  /** Whether the endpoint has ever accepted a delivery. */
  isProven: boolean;
  /** Whether the owner of the integration may still receive the event. */
  mayReceive: boolean;
  /** The owner of the integration, if links to recordings may be sent; otherwise null. */
  listener: string | null;
}

export interface Taking {
  isRetry: boolean;
  most: number;
  perEndpoint: number;
  perAccount: number;
  /** Integrations whose due first attempts move to the retry lane. */
  slow: number[];
  at: Date;
  leaseSeconds: number;
}

/** Leases due deliveries and loads them. */
export const takeDeliveries = (db: Database, taking: Taking): Promise<DueDelivery[]> =>
  queryPrepared(
    db,
    prepared<DueDelivery>`
      select d.id, account_id as "accountId", integration_id as "integrationId", attempts,
             round_attempts as "roundAttempts", event_id as "eventId", type, subject_id as "subjectId", data,
             occurred_at as "occurredAt", account_sequence as "accountSequence", webhook_url as url,
             webhook_version as version, secret_sealed as "secretSealed",
             previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil",
             is_enabled as "isEnabled", domain, timezone, mode, call, webhook_host as host, is_proven as "isProven",
             coalesce(r.may_receive, false) as "mayReceive", case when r.may_listen then r.owner_uuid end as listener
        from take_queued_deliveries(${taking.isRetry}, ${taking.most}, ${taking.perEndpoint}, ${taking.perAccount},
                                 ${taking.slow}::bigint[], ${taking.at}, make_interval(secs => ${taking.leaseSeconds})) d
        left join lateral recipient_of(d.account_id, d.integration_id, d.type, d.subject_id) r on true`,
  );

/** The result of an attempt, and when to try next. */
export interface Attempt extends SendResult {
  deliveryId: string;
  accountId: number;
  integrationId: number;
  number: number;
  roundAttempts: number;
  at: Date;
  state: 'pending' | 'delivered' | 'failed';
  nextAttemptAt: Date | null;
  /** The URL that a success proves; undefined if it is proven already. */
  provesUrl: string | undefined;
}

/** Records delivered attempts and dequeues them, in a transaction of their own. */
export const finishDelivered = (db: Database, ...finished: Finished) =>
  queryPrepared(db, finishStatement(...finished));

/**
 * Records attempts and dequeues them or enqueues the next ones. Returns the integrations whose deliveries have all failed
 * since `failingBefore`.
 */
export const finishAttempts = (tx: Tx, ...finished: Finished) =>
  executePrepared(tx, finishStatement(...finished));

type Finished = [attempts: Attempt[], at: Date, failingBefore: Date];

function finishStatement(...[attempts, at, failingBefore]: Finished) {
  const results = attempts.map((attempt) => ({
    delivery_id: attempt.deliveryId,
    account_id: attempt.accountId,
    integration_id: attempt.integrationId,
    number: attempt.number,
    round_attempts: attempt.roundAttempts,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status: attempt.status,
    detail: attempt.detail,
    address: attempt.address,
    response_body: attempt.responseBody,
    state: attempt.state,
    next_attempt_at: attempt.nextAttemptAt,
    ...(attempt.provesUrl === undefined ? {} : { proves_url: attempt.provesUrl }),
  }));
  return prepared<{ integrationId: number; accountId: number }>`
    select integration_id as "integrationId", account_id as "accountId"
      from finish_attempts(${JSON.stringify(results)}::json, ${at}, ${failingBefore})`;
}

/** Keeps a delivery leased for a while, without an attempt. */
export async function postponeDelivery(db: Database, id: string, seconds: number): Promise<void> {
  await queryPrepared(
    db,
    prepared<object>`select postpone_delivery(${id}, make_interval(secs => ${seconds}))`,
  );
}

/** Moves jobs that the previous release enqueued to the delivery queue. Returns their number. */
export async function adoptJobs(db: Database, most: number): Promise<number> {
  const [row] = await queryPrepared(
    db,
    prepared<{ moved: number }>`select adopt_delivery_jobs(${most}) as moved`,
  );
  return row?.moved ?? 0;
}

/** Returns how long the oldest delivery of each lane has been due, in seconds. */
export const oldestDueDeliveries = (db: Database): Promise<{ isRetry: boolean; seconds: number }[]> =>
  queryPrepared(
    db,
    prepared<{ isRetry: boolean; seconds: number }>`
      select is_retry as "isRetry", coalesce(greatest(extract(epoch from now() - since), 0), 0)::float8 as seconds
        from oldest_due_deliveries()`,
  );
