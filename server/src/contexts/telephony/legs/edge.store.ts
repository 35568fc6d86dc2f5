import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';

/** Returns the edges that have announced themselves within the last `seconds`. */
export async function findEdges(db: Database, seconds: number): Promise<number[]> {
  const query = prepared<{ id: number }>`select id from edges_seen_within(${seconds}) order by id`;
  return (await queryPrepared(db, query)).map(({ id }) => id);
}
