import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { type EventType, eventTypes } from '../../../platform/event-types.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../../platform/filter/index.ts';
import type { PageQuery } from '../../../platform/list-schemas.ts';
import { webhookMessageId } from '../../events/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { type Outcome, outcomes } from '../ports.ts';
import { findAttempts, type StoredAttempt, selectDeliveries } from './delivery-list.store.ts';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

const deliveries = defineList({
  name: 'deliveries',
  fields: {
    id: { type: 'uuid', sortable: true },
    webhookId: { type: 'text', column: 'event_id', filterable: false },
    eventId: { type: 'uuid', column: 'event_id' },
    type: { type: 'enum', values: eventTypes },
    state: { type: 'enum', values: deliveryStates },
    lastOutcome: { type: 'enum', column: 'last_outcome', values: outcomes, nullable: true },
    // The id is a UUIDv7 with exactly this time.
    createdAt: {
      type: 'timestamp',
      column: 'created_at',
      aliases: ['created_at', 'date'],
      sortable: true,
      sortColumn: 'id',
      clockSkewMs: 0,
    },
    nextAttemptAt: { type: 'timestamp', column: 'next_attempt_at', nullable: true },
    endedAt: { type: 'timestamp', column: 'ended_at', nullable: true },
    attemptCount: { type: 'integer', column: 'attempts' },
    attempts: { type: 'json', filterable: false },
  },
  defaultOrder: ['createdAt DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
  scan: { walkRows: 3_000, seekRows: 600, seeks: [] },
});

/** Number of attempts that the list returns per delivery. */
const maxAttempts = 20;

/** Fetches one page of an integration's deliveries, newest first, each with its attempts. */
export async function listDeliveries(
  deps: { db: Database },
  caller: Caller,
  integrationId: string,
  { filter, page, cursor }: PageQuery,
) {
  const asked = parseFilter(deliveries, filter);
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const { id } = await ownedIntegration(tx, caller, integrationId);
    const source = selectDeliveries(tx, accountId, id);
    const result = await fetchPageOrCursor(tx, deliveries, source, query, { page, cursor });
    const ids = result.rows.map((row) => row.id);
    const attempts = await findAttempts(tx, accountId, ids, maxAttempts);
    const data = result.rows.map((row) =>
      pickFields(query, presentDelivery(row, (attempts.get(row.id) ?? []).map(presentAttempt))),
    );
    return { ...result, data };
  });
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  type: string;
  state: string;
  attempts: number;
  last_outcome: string | null;
  created_at: Date;
  next_attempt_at: Date | null;
  ended_at: Date | null;
}

export const presentDelivery = <Shown>(row: DeliveryRow, attempts: Shown[]) => ({
  id: row.id,
  webhookId: webhookMessageId(row.event_id),
  eventId: row.event_id,
  type: row.type as EventType,
  state: row.state as (typeof deliveryStates)[number],
  lastOutcome: row.last_outcome as Outcome | null,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  attemptCount: row.attempts,
  attempts,
});

export const presentAttempt = ({ number, at, outcome, status, durationMs }: StoredAttempt) => ({
  number,
  at: at.toISOString(),
  outcome,
  status,
  durationMs,
});
