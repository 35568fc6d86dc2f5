import { eachBatch } from '../../../platform/batch.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Person } from '../../../platform/erased.ts';
import { indexAgain } from '../search/index-calls.ts';
import { holdIndexing } from '../search/indexing.store.ts';
import {
  countRunningCallsOf,
  eraseFromCalls,
  eraseFromEvents,
  findCallsOf,
  findEventsOf,
} from './erasure.store.ts';

const batch = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Further data to erase with the calls. `callIds` are those in which the person speaks, `eventIds` those of all. */
interface AlsoErase {
  within(tx: Tx, concerned: { callIds: string[]; eventIds: string[] }): Promise<void>;
  afterwards(callIds: string[]): Promise<void>;
}

/** Erases a person from the ended calls of an account and from their events, in batches. */
export async function eraseCalls(
  deps: { db: Database },
  accountId: number,
  person: Person,
  alsoErase: AlsoErase,
): Promise<{ calls: number; events: number; runningCalls: number }> {
  let [events, after] = [0, beforeAll];
  const calls = await eachBatch(batch, async () => {
    const rows = await inAccount(deps.db, accountId, async (tx) => {
      const concerned = await findCallsOf(tx, accountId, person, after, batch);
      if (concerned.length === 0) return concerned;
      await holdIndexing(tx);
      await eraseFromCalls(tx, accountId, person, idsOf(concerned));
      await indexAgain(tx, accountId, idsOf(concerned));
      events += await eraseFromEvents(tx, accountId, idsOf(concerned));
      await alsoErase.within(tx, {
        callIds: idsOf(concerned.filter(({ isSpeaker }) => isSpeaker)),
        eventIds: await findEventsOf(tx, accountId, idsOf(concerned)),
      });
      return concerned;
    });
    await alsoErase.afterwards(idsOf(rows.filter(({ isSpeaker }) => isSpeaker)));
    after = rows.at(-1)?.id ?? after;
    return rows.length;
  });
  const runningCalls = await inAccount(deps.db, accountId, (tx) =>
    countRunningCallsOf(tx, accountId, person),
  );
  return { calls, events, runningCalls };
}

const idsOf = (calls: { id: string }[]): string[] => calls.map(({ id }) => id);
