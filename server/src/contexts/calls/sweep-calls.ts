import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { longestWaitSeconds } from './call.rules.ts';
import { endLostCall, endUnclaimedCall } from './end-call.ts';
import { findForsakenCalls } from './live-call.store.ts';

/** A node that nobody has seen for so long is silent; silent for so much longer, it is lost, and its calls with it. */
const silentNodeSeconds = 35;
const lostNodeSeconds = 12;
const batch = 200;
const mostBatches = 100;

/** Ends the calls of which nobody else will tell: no node took them in time, or their node is lost. */
export async function sweepCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < mostBatches && !signal.aborted; round += 1) {
    const now = deps.clock.now();
    const deadlines = {
      askedBefore: secondsAfter(now, -longestWaitSeconds),
      seenBefore: secondsAfter(now, -silentNodeSeconds),
      silentBefore: secondsAfter(now, -lostNodeSeconds),
    };
    const forsaken = await findForsakenCalls(deps.db, deadlines, now, batch);
    for (const call of forsaken) {
      if (call.node === null) await endUnclaimedCall(deps, call);
      else await endLostCall(deps, call, call.lastSeenAt ?? now);
    }
    if (forsaken.length < batch) return;
  }
}
