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

/** Sets the engine's time limit for an answered call; both times are on the node's clock. */
export async function limitCall({ node, clock, deps }: Control, { call }: FollowedCall): Promise<void> {
  if (call.answeredOnNode === null) return;
  const left = call.answeredOnNode + call.fundedSeconds - clock.toNode(deps.clock.now());
  // Positive, because zero would mean unlimited.
  await node.limit(firstLegId(call), Math.max(left, 0.001));
}
