import type { Database } from '../../../platform/db/database.ts';
import { askPrepared, prepared } from '../../../platform/db/prepared.ts';

/** The edges that were there a moment ago: choosing one costs no question. */
export interface EdgeBook {
  seen(): readonly number[];
  close(): void;
}

/** An edge tells that it is there every three seconds. */
const silentSeconds = 6;
const refreshEveryMs = 1_000;

/** While the database is away, the edges known last are used. */
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
  return (await askPrepared(db, query)).map(({ id }) => id);
}
