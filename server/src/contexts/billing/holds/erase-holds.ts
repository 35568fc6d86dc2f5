import { eachBatch } from '../../../platform/batch.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { eraseDestination } from './hold-erasure.store.ts';

const batch = 500;

/** Erases the number from closed holds; amounts and durations remain. */
export async function eraseHolds(deps: { db: Database }, accountId: number, phone: string): Promise<number> {
  return await eachBatch(batch, () =>
    inAccount(deps.db, accountId, (tx) => eraseDestination(tx, accountId, phone, batch)),
  );
}
