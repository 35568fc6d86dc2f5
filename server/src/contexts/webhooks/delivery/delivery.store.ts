import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared } from '../../../platform/db/prepared.ts';

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
