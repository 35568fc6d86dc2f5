import { lostNodeSeconds, silentNodeSeconds } from '../../../platform/call-timings.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { longestWaitSeconds } from '../call.rules.ts';
import { endLostCall, endUnclaimedCall } from './end-call.ts';
import type { EndDeps } from './end-deps.ts';
import { findOrphanedCalls, type OrphanedCall } from './live-call.store.ts';

const batch = 200;
const maxBatches = 100;

/**
 * Ends calls that no node claimed in time or whose node is lost. A failure does not delay other calls; a batch in which
 * every call fails ends the run.
 */
export async function sweepCalls(deps: EndDeps, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (let round = 0; round < maxBatches && !signal.aborted; round += 1) {
    const now = deps.clock.now();
    const deadlines = {
      requestedBefore: secondsAfter(now, -longestWaitSeconds),
      seenBefore: secondsAfter(now, -silentNodeSeconds),
      silentBefore: secondsAfter(now, -lostNodeSeconds),
    };
    const orphaned = await findOrphanedCalls(deps.db, deadlines, now, batch);
    const failuresBefore = failures.length;
    for (const call of orphaned) {
      await endOrphaned(deps, call, now).catch((error: unknown) => failures.push(error));
    }
    if (orphaned.length < batch || failures.length - failuresBefore === batch) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} calls could not be swept.`);
}

async function endOrphaned(deps: EndDeps, call: OrphanedCall, now: Date): Promise<void> {
  const isEnded =
    call.node === null
      ? await endUnclaimedCall(deps, call)
      : await endLostCall(deps, call, call.lastSeenAt ?? now);
  if (isEnded) deps.observer.callReconciled(call.node === null ? 'unclaimed' : 'node_lost');
}
