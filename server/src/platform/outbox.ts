import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { uuidv7 } from './ids.ts';

/** A domain event, written in the transaction that caused it. */
export interface DomainEvent {
  accountId: number;
  type: string;
  subjectId: string;
  data: object;
  occurredAt: Date;
}

export async function recordEvent(tx: Tx, event: DomainEvent): Promise<void> {
  await sql`
    select record_event(${uuidv7(event.occurredAt)}, ${event.accountId}, ${event.type}, ${event.subjectId},
                        ${JSON.stringify(event.data)}, ${event.occurredAt})`.execute(tx);
}

/** Records an event that follows the end of a call, numbered after the call's other events. */
export async function recordCallEvent(tx: Tx, event: DomainEvent): Promise<void> {
  await sql`
    select record_call_event(${uuidv7(event.occurredAt)}, ${event.accountId}, ${event.type}, ${event.subjectId},
                             ${JSON.stringify(event.data)}, ${event.occurredAt})`.execute(tx);
}
