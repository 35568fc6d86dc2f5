import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';

/** Numbers up to as many new events, plans and enqueues their deliveries. Returns the number of events. */
export async function numberEvents(db: Database, limit: number, at: Date): Promise<number> {
  const [row] = await queryPrepared(
    db,
    prepared<{ numbered: number }>`select number_events(${limit}, ${at}) as numbered`,
  );
  return row?.numbered ?? 0;
}
