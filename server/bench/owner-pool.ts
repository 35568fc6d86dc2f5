import pg from 'pg';
import type { OwnerQuery } from '../test/harness/fixtures/billing-rows.ts';

export interface OwnerPool {
  query: OwnerQuery;
  /** Resolves when all connections are closed, so that the database can be dropped. */
  close(): Promise<void>;
}

/** Opens connections as the owner of a database. */
export function openOwner(url: string, max: number): OwnerPool {
  const pool = new pg.Pool({ connectionString: url, max });
  // Without a listener, the loss of an idle connection would end this process.
  pool.on('error', (error) => console.error(`idle database connection lost: ${error.message}`));
  return {
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    close: () => closePool(pool),
  };
}

/** Ends a pool. The promise of `pool.end` resolves while its connections are still open. */
async function closePool(pool: pg.Pool): Promise<void> {
  let open = pool.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    pool.on('remove', () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
  await pool.end();
  await closed;
}
