import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Returns the credit in reais that an operator moved alone since a time, added and removed amounts together. Exact only
 * while the log is locked.
 */
export async function findCreditMoved(tx: Tx, operator: string, since: Date): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select coalesce(sum(abs((details->>'amount')::numeric)), 0)::float8 as moved from operator_log
     where operator = ${operator} and command = 'credit adjust' and details ? 'amount' and at >= ${since}
       and not details ? 'approvedBy'`.execute(tx);
  return rows[0]?.moved ?? 0;
}
