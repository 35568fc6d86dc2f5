import type { Database } from '../../../platform/db/database.ts';
import { findEdges } from './edge.store.ts';

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
  let edges = await findEdges(db, silentSeconds);
  let isReading = false;
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    findEdges(db, silentSeconds)
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
