import { advanceCall, endCall, findLiveAmong } from '../calls/index.ts';
import type { Control } from './control.ts';
import type { FollowedCall } from './followed-calls.ts';
import type { EngineEvent } from './ports.ts';
import { followTest } from './test-trunks.ts';

/** Writes down what the engine told, in its order. */
export function followEvent(control: Control, event: EngineEvent): void {
  if (followTest(control, event)) return;
  if (event.kind === 'ended') followEnd(control, event);
  else followStep(control, event);
}

/** Steps that come while an earlier one is being written are written together. */
function followStep(control: Control, event: Exclude<EngineEvent, { kind: 'ended' }>): void {
  const { calls, clock } = control;
  const { callId, kind: to, onNode } = event;
  const followed = calls.get(callId);
  if (!followed) return;
  followed.told.push({ to, at: clock.toOurs(onNode), onNode });
  calls.enqueue(callId, () => writeSteps(control, followed));
}

async function writeSteps({ deps, lease, moveCall }: Control, followed: FollowedCall): Promise<void> {
  const steps = [...followed.told];
  if (steps.length === 0) return;
  const moved = await advanceCall(moveCall, followed.call, steps);
  // Not moved may also mean written by an attempt whose answer was lost: the row knows.
  const [known] = moved ? [moved] : await findLiveAmong(deps.db, lease.node, [followed.call.callId]);
  if (known) followed.call = known;
  followed.told.splice(0, steps.length);
}

/** A call that this process does not follow may still be open: its end is looked up before it is let go. */
function followEnd(control: Control, { callId, end }: Extract<EngineEvent, { kind: 'ended' }>): void {
  const { deps, lease, calls, clock } = control;
  calls.enqueue(callId, async () => {
    const followed = calls.get(callId);
    const [call] = followed ? [followed.call] : await findLiveAmong(deps.db, lease.node, [callId]);
    if (!call) return;
    await endCall(deps, call, end, clock.toOurs(end.endedOnNode));
    calls.remove(callId);
  });
}
