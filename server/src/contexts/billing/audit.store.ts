import { sql } from 'kysely';
import { type Database, inTransaction } from '../../platform/db/database.ts';

export interface Difference {
  check: string;
  account_id: number;
  subject: string;
  expected: number;
  found: number;
}

/** The checks run as one statement over one snapshot, so that calls going on meanwhile cannot look like faults. */
export async function findDifferences(db: Database): Promise<Difference[]> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<Difference>`select * from audit_ledger()`.execute(tx);
    return rows;
  });
}
