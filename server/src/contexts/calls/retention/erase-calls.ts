import { eachBatch } from '../../../platform/batch.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Person } from '../../../platform/erased.ts';
import { eraseContacts } from '../contacts/contact.store.ts';
import { indexAgain } from '../search/index-calls.ts';
import { holdIndexing } from '../search/indexing.store.ts';
import {
  countRunningCallsOf,
  eraseContactsOfCalls,
  eraseFromCalls,
  eraseFromEvents,
  findCallsOf,
  findEventsOf,
} from './erasure.store.ts';

const batch = 500;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Further data to erase with the calls. `callIds` are those in which the person speaks, `eventIds` those of all. */
interface AlsoErase<Erased> {
  within(tx: Tx, concerned: { callIds: string[]; eventIds: string[] }): Promise<Erased>;
  /** Runs after the commit, with what `within` returned. */
  afterwards(callIds: string[], erased: Erased): Promise<void>;
}

/** Erases a person from the ended calls of an account and from their events, in batches, and the person's contact. */
export async function eraseCalls<Erased>(
  deps: { db: Database },
  accountId: number,
  person: Person,
  alsoErase: AlsoErase<Erased>,
): Promise<{ calls: number; contacts: number; events: number; runningCalls: number }> {
  let [events, contacts, after] = [0, 0, beforeAll];
  const calls = await eachBatch(batch, async () => {
    const done = await inAccount(deps.db, accountId, async (tx) => {
      const concerned = await findCallsOf(tx, accountId, person, after, batch);
      if (concerned.length === 0) return undefined;
      await holdIndexing(tx);
      const contactCount = await eraseContactsOfCalls(tx, accountId, person, idsOf(concerned));
      await eraseFromCalls(tx, accountId, person, idsOf(concerned));
      await indexAgain(tx, accountId, idsOf(concerned));
      const count = await eraseFromEvents(tx, accountId, person, idsOf(concerned));
      const callIds = idsOf(concerned.filter(({ isSpeaker }) => isSpeaker));
      const eventIds = await findEventsOf(tx, accountId, idsOf(concerned));
      return {
        concerned,
        count,
        contactCount,
        callIds,
        further: await alsoErase.within(tx, { callIds, eventIds }),
      };
    });
    if (!done) return 0;
    await alsoErase.afterwards(done.callIds, done.further);
    events += done.count;
    contacts += done.contactCount;
    after = done.concerned.at(-1)?.id ?? after;
    return done.concerned.length;
  });
  // After the calls, from which the worker could fill the contact again.
  const rest = await inAccount(deps.db, accountId, async (tx) => ({
    contacts: contacts + (await eraseContacts(tx, accountId, person)),
    runningCalls: await countRunningCallsOf(tx, accountId, person),
  }));
  return { calls, events, ...rest };
}

const idsOf = (calls: { id: string }[]): string[] => calls.map(({ id }) => id);
