import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { callEvents, type EventType, eventTypes } from '../../../platform/event-types.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../../platform/filter/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { PageQuery } from '../../../platform/list-schemas.ts';
import { webhookMessageId } from '../../events/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { type Outcome, outcomes } from '../ports.ts';
import {
  type DeliveredCall,
  findAttempts,
  findCallsOfEvents,
  findIdsOfCall,
  isAmong,
  type StoredAttempt,
  seesCall,
  selectDeliveries,
} from './delivery-list.store.ts';

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
    failed: { type: 'boolean', trueIds: 'failed_deliveries' },
    isTest: { type: 'boolean', column: 'is_test' },
    call: { type: 'json', filterable: false, nullable: true },
    attempts: { type: 'json', filterable: false },
  },
  defaultOrder: ['createdAt DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
  scan: { walkRows: 3_000, seekRows: 2_000, seeks: ['failed'] },
});

/** Number of attempts that the list returns per delivery. */
const maxAttempts = 20;

export type DeliveriesQuery = PageQuery & { callId?: string | undefined };

/** Fetches one page of an integration's deliveries, or of those of a call, newest first, each with its attempts. */
export async function listDeliveries(
  deps: { db: Database },
  caller: Caller,
  integrationId: string,
  { filter, page, cursor, callId }: DeliveriesQuery,
) {
  const asked = parseFilter(deliveries, filter);
  const { accountId } = caller;
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const { id } = await ownedIntegration(tx, caller, integrationId);
    const all = selectDeliveries(tx, accountId, id);
    const source = callId === undefined ? all : all.where(isAmong(await idsOfCall(tx, caller, id, callId)));
    const result = await fetchPageOrCursor(tx, deliveries, source, query, { page, cursor });
    const ids = result.rows.map((row) => row.id);
    const attempts = await findAttempts(tx, accountId, ids, maxAttempts);
    const calls = await findCallsOfEvents(tx, caller, eventsWithCalls(result.rows));
    const data = result.rows.map((row) =>
      pickFields(query, {
        ...presentDelivery(row, (attempts.get(row.id) ?? []).map(presentAttempt)),
        call: presentCall(calls.get(row.event_id)),
      }),
    );
    return { ...result, data };
  });
}

/** Returns the ids of an integration's deliveries of a call that the caller sees. */
async function idsOfCall(tx: Tx, caller: Caller, integrationId: number, callId: string): Promise<string[]> {
  if (!isUuid(callId) || !(await seesCall(tx, caller, callId))) throw notFound();
  return await findIdsOfCall(tx, { accountId: caller.accountId, integrationId }, callId.toLowerCase());
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
  is_test: boolean;
  failed: boolean;
}

/** Returns the events of calls. The event of a test is not in the log. */
export const eventsWithCalls = (rows: Pick<DeliveryRow, 'event_id' | 'type' | 'is_test'>[]): string[] =>
  rows.filter(({ type, is_test }) => !is_test && isOfCall(type)).map(({ event_id }) => event_id);

/** Returns whether events of a type are about calls; the others are about money. */
export const isOfCall = (type: string): boolean => (callEvents as readonly string[]).includes(type);

export const presentCall = (call: DeliveredCall | undefined) =>
  call ? { id: call.id, callType: call.call_type, from: call.from, to: call.to } : null;

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
  failed: row.failed,
  isTest: row.is_test,
  attempts,
});

export const presentAttempt = ({ number, at, outcome, status, durationMs }: StoredAttempt) => ({
  number,
  at: at.toISOString(),
  outcome,
  status,
  durationMs,
});
