import { sql } from 'kysely';
import { type Database, queryRows } from '../../platform/db/database.ts';

/** Returns the credit in reais that an operator moved alone since a time, added and removed amounts together. */
export async function findCreditMoved(db: Database, operator: string, since: Date): Promise<number> {
  const [row] = await queryRows(
    db,
    sql<{ moved: number }>`
      select coalesce(sum(abs((details->>'amount')::numeric)), 0)::float8 as moved from operator_log
       where operator = ${operator} and command = 'credit adjust' and details ? 'amount' and at >= ${since}
         and not details ? 'approvedBy'`,
  );
  return row?.moved ?? 0;
}
