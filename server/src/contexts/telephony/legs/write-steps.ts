import { advanceCall, findLiveAmong } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { FollowedCall } from './followed-calls.ts';

/** Writes the reported steps of a call that are not written yet. */
export async function writeSteps({ deps, lease, moveCall }: Control, followed: FollowedCall): Promise<void> {
  const steps = [...followed.pendingSteps];
  if (steps.length === 0) return;
  const moved = await advanceCall(moveCall, followed.call, steps);
  // If nothing changed, an earlier attempt may have succeeded without its response arriving: read the row.
  const [current] = moved ? [moved] : await findLiveAmong(deps.db, lease.node, [followed.call.callId]);
  if (current) followed.call = current;
  if (moved) {
    for (const step of steps) {
      deps.observer.callStepped(moved, step);
      if (step.to === 'dialing' && moved.kind === 'click')
        deps.publishProgress(moved.accountId, { callId: moved.callId, state: 'dialing', at: step.at });
    }
  }
  followed.pendingSteps.splice(0, steps.length);
}
