import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { longestWaitSeconds } from './call.rules.ts';
import { endLostCall, endUnclaimedCall } from './end-call.ts';
import { findForsakenCalls } from './live-call.store.ts';

/** A node that nobody has seen for so long is lost, and its calls with it. */
const lostNodeSeconds = 45;
const batch = 200;
const mostBatches = 100;

/** Ends the calls of which nobody else will tell: no node took them in time, or their node is lost. */
export async function sweepCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < mostBatches && !signal.aborted; round += 1) {
    const now = deps.clock.now();
    const askedBefore = secondsAfter(now, -longestWaitSeconds);
    const seenBefore = secondsAfter(now, -lostNodeSeconds);
    const forsaken = await findForsakenCalls(deps.db, askedBefore, seenBefore, batch);
    for (const call of forsaken) {
      if (call.node === null) await endUnclaimedCall(deps, call);
      else await endLostCall(deps, call, call.lastSeenAt ?? now);
    }
    if (forsaken.length < batch) return;
  }
}
