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
  await tx
    .insertInto('events')
    .values({
      id: uuidv7(event.occurredAt),
      account_id: event.accountId,
      type: event.type,
      subject_id: event.subjectId,
      data: JSON.stringify(event.data),
      occurred_at: event.occurredAt,
    })
    .execute();
}
