import { silentEdgeSeconds } from '../../../platform/call-timings.ts';
import type { Database } from '../../../platform/db/database.ts';
import { refreshEvery } from '../../../platform/refresh.ts';
import { findEdges } from './edge.store.ts';

/** Edges seen recently. Refreshed in the background, so that choosing one needs no query. */
export interface EdgeDirectory {
  seen(): readonly number[];
  close(): void;
}

const refreshEveryMs = 1_000;

/** Opens the directory. It keeps the last known edges while the database is unavailable. */
export async function openEdgeDirectory(
  db: Database,
  onFailure: (error: unknown) => void,
): Promise<EdgeDirectory> {
  let edges = await findEdges(db, silentEdgeSeconds);
  const refresh = async () => {
    edges = await findEdges(db, silentEdgeSeconds);
  };
  return { seen: () => edges, close: refreshEvery(refreshEveryMs, refresh, onFailure) };
}
