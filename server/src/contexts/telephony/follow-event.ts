import { advanceCall, endCall, findLiveAmong } from '../calls/index.ts';
import type { Control } from './control.ts';
import type { EngineEvent } from './ports.ts';
import { followTest } from './test-trunks.ts';

/** Writes down what the engine told, in its order. */
export function followEvent(control: Control, event: EngineEvent): void {
  if (followTest(control, event)) return;
  if (event.kind === 'ended') followEnd(control, event);
  else followStep(control, event);
}

function followStep(control: Control, event: Exclude<EngineEvent, { kind: 'ended' }>): void {
  const { deps, lease, calls, clock } = control;
  const followed = calls.get(event.callId);
  if (!followed) return;
  const { kind: to, onNode } = event;
  calls.enqueue(event.callId, async () => {
    const at = clock.toOurs(onNode);
    const moved = await advanceCall(deps.db, lease, followed.call, {
      to,
      at,
      ...(to === 'answered' ? { onNode } : {}),
    });
    if (!moved) return;
    const answer = to === 'answered' ? { answeredAt: at, answeredOnNode: onNode } : {};
    followed.call = { ...followed.call, ...answer, state: to };
  });
}

/** A call that this process does not follow may still be open: its end is looked up before it is let go. */
function followEnd(control: Control, { callId, end }: Extract<EngineEvent, { kind: 'ended' }>): void {
  const { deps, calls, clock } = control;
  calls.enqueue(callId, async () => {
    const [call] = calls.get(callId) ? [calls.get(callId)?.call] : await findLiveAmong(deps.db, [callId]);
    if (!call) return;
    await endCall(deps, call, end, clock.toOurs(end.endedOnNode));
    calls.remove(callId);
  });
}
