import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { faultsOfAvailability, isSame } from './availability.rules.ts';
import { lockAvailability, saveAvailability } from './availability.store.ts';
import type { Availability } from './availability.ts';

export interface AvailabilityDeps {
  db: Database;
  clock: Clock;
  /** Sends the change to the streams of the account. */
  publishAvailability: (accountId: number, userId: number, at: Date) => void;
}

/** Sets the caller's availability. The same again changes nothing and keeps `since`. */
export async function setAvailability(
  { db, clock, publishAvailability }: AvailabilityDeps,
  caller: Caller,
  given: { status: Availability['status']; reason?: string | null | undefined },
): Promise<Availability> {
  const faults = faultsOfAvailability(given);
  if (faults.length > 0) throw invalid(...faults);
  const { accountId, userId } = caller;
  const at = clock.now();
  const wanted = { status: given.status, reason: given.reason || null };
  const { after, hasChanged } = await inAccount(db, accountId, async (tx) => {
    const before = await lockAvailability(tx, accountId, userId);
    if (isSame(before, wanted)) return { after: before, hasChanged: false };
    const changed = { ...wanted, since: at };
    await saveAvailability(tx, accountId, userId, changed);
    // Without the reason: it is free text, which is erased where users keep it.
    if (before.status !== wanted.status)
      await recordChangeBy(tx, caller, {
        at,
        action: 'user.set-availability',
        target: { type: 'user', id: caller.uuid },
        before: { availability: before.status },
        after: { availability: wanted.status },
      });
    return { after: changed, hasChanged: true };
  });
  // Streams show the current state only and are not part of the log, so a lost message is repaired by the next read.
  if (hasChanged) publishAvailability(accountId, userId, at);
  return after;
}
