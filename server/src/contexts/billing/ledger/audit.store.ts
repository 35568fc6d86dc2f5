import { sql } from 'kysely';
import { type Database, inAccount, queryRows } from '../../../platform/db/database.ts';

export interface Difference {
  accountId: number;
  check: string;
  subject: string;
  expected: number;
  found: number;
}

/** Checks an account in one statement and so one snapshot: concurrent changes cannot look like differences. */
export async function findDifferences(db: Database, accountId: number): Promise<Difference[]> {
  return await inAccount(db, accountId, async (tx) => {
    const { rows } = await sql<Difference>`
      select ${accountId}::bigint as "accountId", * from audit_ledger(${accountId})
      union all
      select ${accountId}::bigint, * from audit_charges(${accountId})`.execute(tx);
    return rows;
  });
}

export async function listAccountIds(db: Database, afterId: number, limit: number): Promise<number[]> {
  const query = sql<{ id: number }>`select id from list_account_ids(${afterId}, ${limit}) as id`;
  const rows = await queryRows(db, query);
  return rows.map(({ id }) => id);
}

export async function saveAudit(db: Database, at: Date, differences: number): Promise<void> {
  await db.kysely
    .insertInto('ledger_audits')
    .values({ at, differences })
    // Two audits that end in the same millisecond have the same result.
    .onConflict((conflict) => conflict.column('at').doNothing())
    .execute();
}
