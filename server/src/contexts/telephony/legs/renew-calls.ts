import { firstLegId, fundCall, fundLeg, type RunningLeg } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { FollowedCall } from './followed-calls.ts';
import { areLifted } from './leg-steps.rules.ts';
import { limitLegs } from './limit-legs.ts';
import { talkedSeconds } from './talked-seconds.ts';

/** Extends the funding of calls and of their added legs that need it, then raises the engine's limits. */
export function renewCalls(control: Control): void {
  const now = control.deps.clock.now();
  for (const followed of control.calls.all()) {
    const { renewAt, callId } = followed.call;
    for (const leg of followed.legs.filter((each) => isDue(each, now))) {
      leg.renewAt = null;
      control.calls.enqueue(callId, () => renewLeg(control, followed, leg));
    }
    if (renewAt === null || renewAt > now) continue;
    followed.call = { ...followed.call, renewAt: null };
    control.calls.enqueue(callId, () => renew(control, followed));
  }
}

const isDue = ({ state, renewAt }: RunningLeg, now: Date): boolean =>
  state === 'answered' && renewAt !== null && renewAt <= now;

async function renewLeg(control: Control, followed: FollowedCall, leg: RunningLeg): Promise<void> {
  const funding = await fundLeg(control.deps, leg);
  if (!funding) return;
  const current = followed.legs.find(({ id }) => id === leg.id);
  if (current) Object.assign(current, funding);
  await limitLegs(control, followed);
}

async function renew(control: Control, followed: FollowedCall): Promise<void> {
  const funding = await fundCall(control.deps, followed.call);
  if (!funding) return;
  followed.call = { ...followed.call, ...funding };
  await limitCall(control, followed);
}

/** Sets the engine's time limit for an answered call, or for each of its legs. */
export async function limitCall(control: Control, followed: FollowedCall): Promise<void> {
  if (areLifted(followed.legs.filter(({ state }) => state !== 'ended')))
    return await limitLegs(control, followed);
  const { node, clock, deps } = control;
  const { call } = followed;
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
