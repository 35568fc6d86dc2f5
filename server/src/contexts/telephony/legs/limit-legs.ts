import type { RunningLeg } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { FollowedCall } from './followed-calls.ts';
import { freeCallSeconds, fundingsOf, isPriced } from './limit-legs.rules.ts';
import { talkedSeconds } from './talked-seconds.ts';

/** Positive, because zero would mean unlimited. */
const leastSeconds = 0.001;

/**
 * Sets the engine's time limit of each leg that has answered: its own funding, or that of the longest leg for those that
 * are free. A leg that has a limit that nothing extends keeps it.
 */
export async function limitLegs(control: Control, followed: FollowedCall): Promise<void> {
  const limits = limitsOf(control, followed);
  for (const leg of followed.legs) {
    const seconds = limits.get(leg.letter);
    if (leg.state === 'answered' && leg.engineLeg !== null && seconds !== undefined)
      await control.node.limit(leg.engineLeg, Math.max(seconds, leastSeconds));
  }
}

/** Returns for how long a leg may last from its answer on. */
export function limitOfNewLeg(control: Control, followed: FollowedCall, leg: RunningLeg): number {
  const seconds = leg.fundedSeconds ?? Math.max(...limitsOf(control, followed).values(), leastSeconds);
  return Math.max(seconds, leastSeconds);
}

/** Returns the seconds that are left to each leg, by its letter. */
function limitsOf({ clock, deps }: Control, { call, legs }: FollowedCall): Map<string, number> {
  const now = deps.clock.now();
  const left = (seconds: number, answeredOnNode: number, answeredAt: Date): number =>
    seconds -
    talkedSeconds(clock.toNode(now) - answeredOnNode, (now.getTime() - answeredAt.getTime()) / 1000);
  const limits = new Map(
    fundingsOf(call, legs).map(({ leg, seconds, answeredOnNode, answeredAt }) => [
      leg.letter,
      left(seconds, answeredOnNode, answeredAt),
    ]),
  );
  const ofFreeCall =
    call.answeredOnNode === null || call.answeredAt === null
      ? leastSeconds
      : left(freeCallSeconds, call.answeredOnNode, call.answeredAt);
  const longest = limits.size > 0 ? Math.max(...limits.values()) : ofFreeCall;
  for (const leg of legs) if (!isPriced(leg) && leg.state === 'answered') limits.set(leg.letter, longest);
  return limits;
}
