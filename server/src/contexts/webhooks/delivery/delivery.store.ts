import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { SendResult } from '../ports.ts';

export interface PlannedDelivery {
  id: string;
  integrationId: number;
  /** The integration's recent deliveries have all failed. */
  isFailing: boolean;
}

/** Numbers new events and creates their deliveries. */
export async function sequence(
  tx: Tx,
  limit: number,
  at: Date,
): Promise<{ sequenced: number; planned: PlannedDelivery[] }> {
  const query = sql<{
    sequenced: number;
    planned: PlannedDelivery[];
  }>`select sequenced, planned from sequence_events(${limit}, ${at})`;
  const [row] = await executePrepared(tx, query.compile(tx));
  return row ?? { sequenced: 0, planned: [] };
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
}

export async function loadDeliveries(db: Database, ids: string[]): Promise<DueDelivery[]> {
  const query = sql<DueDelivery>`
    select id, account_id as "accountId", integration_id as "integrationId", attempts,
           round_attempts as "roundAttempts", event_id as "eventId", type, subject_id as "subjectId", data,
           occurred_at as "occurredAt", account_sequence as "accountSequence", webhook_url as url,
           webhook_version as version, secret_sealed as "secretSealed",
           previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil",
           is_enabled as "isEnabled", domain, timezone, mode, call
      from load_deliveries(${ids})`;
  return await queryPrepared(db, query.compile(db.kysely));
}

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
}

/** Records attempts; returns the integrations whose deliveries have all failed since `failingBefore`. */
export async function saveAttempts(
  tx: Tx,
  attempts: Attempt[],
  at: Date,
  failingBefore: Date,
): Promise<{ integrationId: number; accountId: number }[]> {
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
  }));
  const query = sql<{ integrationId: number; accountId: number }>`
    select integration_id as "integrationId", account_id as "accountId"
      from record_attempts(${JSON.stringify(results)}, ${at}, ${failingBefore})`;
  return await executePrepared(tx, query.compile(tx));
}
