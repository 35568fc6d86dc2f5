import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Owner } from '../token.store.ts';

export async function countRecoveryCodes(tx: Tx, owner: Owner): Promise<number> {
  const { count } = await tx
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertRecoveryCodes(tx: Tx, owner: Owner, hashes: Buffer[]): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ account_id: owner.accountId, user_id: owner.userId, hash })))
    .execute();
}

/** Deletes the code. Returns true to only one of several concurrent uses. */
export async function takeRecoveryCode(tx: Tx, owner: Owner, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteRecoveryCodes(tx: Tx, owner: Owner): Promise<void> {
  await tx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .execute();
}
