import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';

/** Recently seen edges, refreshed in the background so that choosing one needs no query. */
export interface EdgeBook {
  seen(): readonly number[];
  close(): void;
}

/** Edges send a heartbeat every three seconds. */
const silentSeconds = 6;
const refreshEveryMs = 1_000;

/** Keeps using the last known edges while the database is unavailable. */
export async function openEdgeBook(db: Database, onFailure: (error: unknown) => void): Promise<EdgeBook> {
  let edges = await findEdges(db);
  let isReading = false;
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    findEdges(db)
      .then((found) => {
        edges = found;
      })
      .catch(onFailure)
      .finally(() => {
        isReading = false;
      });
  }, refreshEveryMs);
  timer.unref();
  return { seen: () => edges, close: () => clearInterval(timer) };
}

async function findEdges(db: Database): Promise<number[]> {
  const query = prepared<{ id: number }>`select id from edges_seen_within(${silentSeconds}) order by id`;
  return (await queryPrepared(db, query)).map(({ id }) => id);
}
