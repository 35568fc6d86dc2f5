import { advanceCall, findLiveAmong } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import { readAgain } from '../nodes/read-clock.ts';
import type { FollowedCall, ReportedStep } from './followed-calls.ts';

/** Writes the reported steps of a call that are not written yet. */
export async function writeSteps(control: Control, followed: FollowedCall): Promise<void> {
  const { deps, lease, moveCall } = control;
  const steps = [...followed.pendingSteps];
  if (steps.length === 0) return;
  await correctTimes(control, steps);
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

/** Corrects the times of steps that arrived after the node's clock was set and before it was read again. */
async function correctTimes(control: Control, steps: ReportedStep[]): Promise<void> {
  const doubtful = steps.filter(({ isDoubtful }) => isDoubtful);
  if (doubtful.length === 0) return;
  await readAgain(control);
  for (const step of doubtful) {
    if (step.onNode !== undefined) step.at = control.clock.toOurs(step.onNode);
    step.isDoubtful = false;
  }
}
