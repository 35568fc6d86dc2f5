import type { Database } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { numberEvents } from './event-numbers.store.ts';

export interface SequenceDeps {
  db: Database;
  clock: Clock;
}

/** Events that are numbered in one transaction, at most. */
export const maxBatch = 500;

/** Numbers new events and enqueues their deliveries in one transaction. Returns the number of events. */
export const sequenceEvents = ({ db, clock }: SequenceDeps): Promise<number> =>
  numberEvents(db, maxBatch, clock.now());
