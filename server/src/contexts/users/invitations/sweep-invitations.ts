import { eachBatch } from '../../../platform/batch.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { deleteExpiredInvitations } from './invitation.store.ts';

const keptSeconds = 30 * 24 * 3600;
const batch = 1_000;

/** Deletes invitations that expired more than 30 days ago. Until then they can be sent again. */
export async function sweepInvitations(
  { db, clock }: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const expiredBefore = secondsAfter(clock.now(), -keptSeconds);
  await eachBatch(batch, () => deleteExpiredInvitations(db, expiredBefore, batch), signal);
}
