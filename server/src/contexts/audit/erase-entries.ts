import { type Database, inAccount } from '../../platform/db/database.ts';
import { mentionOf, type Person, searchText } from '../../platform/erased.ts';
import { eraseFromEntries, findLastEntry } from './erasure.store.ts';

export interface Target {
  type: string;
  id: string;
}

/**
 * Erases a person from audit entries. Entries keep their action, time and subject. The actor and their IP address are
 * erased, and so is all text in entries about the person or mentioning them.
 */
export async function eraseEntries(
  deps: { db: Database },
  accountId: number,
  person: Person,
  { userUuids, targets }: { userUuids: string[]; targets: Target[] },
): Promise<number> {
  const about = {
    word: searchText(person),
    mention: mentionOf(person),
    userUuids,
    targets: targets.map(({ type, id }) => `${type}:${id}`),
  };
  let erased = 0;
  for (let after: Date | undefined = new Date(0); after; ) {
    const from: Date = after;
    const { until, count } = await inAccount(deps.db, accountId, async (tx) => {
      const until = await findLastEntry(tx, accountId, from);
      return { until, count: until ? await eraseFromEntries(tx, accountId, about, { from, until }) : 0 };
    });
    erased += count;
    after = until;
  }
  return erased;
}
