import type { Caller } from '../../../platform/caller.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { findDispositions, saveDispositions } from './note.store.ts';
import type { NoteDeps } from './write-note.ts';

export async function getDispositions({ db }: NoteDeps, { accountId }: Caller): Promise<{ names: string[] }> {
  return await inAccount(db, accountId, async (tx) => ({ names: await findDispositions(tx, accountId) }));
}

/** Replaces the dispositions of the account. Calls keep those that are removed. */
export async function setDispositions(
  { db, clock }: NoteDeps,
  caller: Caller,
  names: string[],
): Promise<{ names: string[] }> {
  return await inAccount(db, caller.accountId, async (tx) => {
    const before = await findDispositions(tx, caller.accountId);
    await saveDispositions(tx, caller.accountId, names);
    await recordChangeBy(tx, caller, {
      at: clock.now(),
      action: 'account.dispositions',
      target: { type: 'account', id: String(caller.accountId) },
      before: { names: before },
      after: { names },
    });
    return { names };
  });
}
