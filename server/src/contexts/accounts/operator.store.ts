import type { Tx } from '../../platform/db/database.ts';

export interface AccountSummary {
  id: number;
  uuid: string;
  domain: string;
  name: string;
  email: string;
  phone: string;
  status: string;
  mode: string;
  timezone: string;
  createdAt: Date;
}

/** Runs as the database owner, which alone can read all accounts. */
export async function findSummary(
  tx: Tx,
  key: { id: number } | { uuid: string } | { domain: string },
): Promise<AccountSummary | undefined> {
  const [[column, value]] = Object.entries(key) as [['id' | 'uuid' | 'domain', string | number]];
  const row = await tx
    .selectFrom('accounts')
    .select(['id', 'uuid', 'domain', 'name', 'email', 'phone', 'status', 'mode', 'timezone', 'created_at'])
    .where(column, '=', value)
    .executeTakeFirst();
  if (!row) return undefined;
  const { created_at: createdAt, ...rest } = row;
  return { ...rest, createdAt };
}

/** Returns false if the account is no longer in the expected state. */
export async function setStatus(
  tx: Tx,
  seen: { id: number; status: string },
  status: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ status, updated_at: at })
    .where('id', '=', seen.id)
    .where('status', '=', seen.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function setMode(tx: Tx, id: number, mode: string, at: Date): Promise<void> {
  await tx.updateTable('accounts').set({ mode, updated_at: at }).where('id', '=', id).execute();
}
