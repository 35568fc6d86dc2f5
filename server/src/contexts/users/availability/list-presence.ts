import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { callsFollowedBy } from '../../../platform/visibility.ts';
import { findPresence } from './availability.store.ts';
import type { Presence } from './availability.ts';

/** Returns a page of the people whom the caller may follow: all of the account, or only the caller. */
export async function listPresence(
  { db, clock }: { db: Database; clock: Clock },
  caller: Caller,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ people: Presence[]; nextAfter: string | null }> {
  const { accountId } = caller;
  const query = { accountId, userId: callsFollowedBy(caller), after, limit: limit + 1, at: clock.now() };
  const found = await inAccount(db, accountId, (tx) => findPresence(tx, query));
  const people = found.slice(0, limit);
  return { people, nextAfter: found.length > limit ? (people.at(-1)?.uuid ?? null) : null };
}
