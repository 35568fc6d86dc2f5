import { eachBatch } from '../../../platform/batch.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { mentionOf, type Person } from '../../../platform/erased.ts';
import { eraseResponsesLike, findDeliveries } from './erasure.store.ts';

const batch = 1_000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Removes the responses of endpoints that mention the person, in batches. */
export async function eraseResponses(
  deps: { db: Database },
  accountId: number,
  person: Person,
): Promise<number> {
  let [erased, after] = [0, beforeAll];
  await eachBatch(batch, async () => {
    const { ids, count } = await inAccount(deps.db, accountId, async (tx) => {
      const ids = await findDeliveries(tx, accountId, after, batch);
      return { ids, count: ids.length > 0 ? await eraseResponsesLike(tx, ids, mentionOf(person)) : 0 };
    });
    erased += count;
    after = ids.at(-1) ?? after;
    return ids.length;
  });
  return erased;
}
