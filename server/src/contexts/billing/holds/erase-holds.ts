import { type Database, inAccount } from '../../../platform/db/database.ts';
import { eraseDestination } from './hold-erasure.store.ts';

const batch = 500;

/** Erases the number from closed holds; amounts and durations remain. */
export async function eraseHolds(deps: { db: Database }, accountId: number, phone: string): Promise<number> {
  let erased = 0;
  for (let changed = batch; changed === batch; erased += changed)
    changed = await inAccount(deps.db, accountId, (tx) => eraseDestination(tx, accountId, phone, batch));
  return erased;
}
