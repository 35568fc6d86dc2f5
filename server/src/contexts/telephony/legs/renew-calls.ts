import { worryingClockSkewSeconds } from '../../../platform/call-timings.ts';
import { firstLegId, fundCall } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { FollowedCall } from './followed-calls.ts';

/** Extends the funding of calls that need it, then raises the engine's limit. */
export function renewCalls(control: Control): void {
  const now = control.deps.clock.now();
  for (const followed of control.calls.all()) {
    const { renewAt, callId } = followed.call;
    if (renewAt === null || renewAt > now) continue;
    followed.call = { ...followed.call, renewAt: null };
    control.calls.enqueue(callId, () => renew(control, followed));
  }
}

async function renew(control: Control, followed: FollowedCall): Promise<void> {
  const funding = await fundCall(control.deps, followed.call);
  if (!funding) return;
  followed.call = { ...followed.call, ...funding };
  await limitCall(control, followed);
}

/** Sets the engine's time limit for an answered call. */
export async function limitCall({ node, clock, deps }: Control, { call }: FollowedCall): Promise<void> {
  if (call.answeredOnNode === null || call.answeredAt === null) return;
  const now = deps.clock.now();
  const talked = talkedSeconds(
    clock.toNode(now) - call.answeredOnNode,
    (now.getTime() - call.answeredAt.getTime()) / 1000,
  );
  const left = call.fundedSeconds - talked;
  // Positive, because zero would mean unlimited.
  await node.limit(firstLegId(call), Math.max(left, 0.001));
}

/** Returns the talk time on the node's clock, or on ours if they differ clearly: the node's was set during the call. */
export const talkedSeconds = (onNode: number, onOurs: number): number =>
  Math.abs(onNode - onOurs) > worryingClockSkewSeconds ? onOurs : onNode;
