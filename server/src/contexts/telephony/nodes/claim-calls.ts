import { secondsAfter } from '../../../platform/time.ts';
import {
  claimCalls,
  claimChosenCalls,
  claimLiveCalls,
  findHangups,
  longestWaitSeconds,
} from '../../calls/index.ts';
import { controlCall, controlCalls } from '../legs/control-legs.ts';
import { dialCall } from '../legs/dial-call.ts';
import { channelsOf } from '../legs/followed-calls.ts';
import type { Control, Work } from './control.ts';

/** Poll interval: finds calls whose chosen node does not claim them, and all work while Redis is down. */
const pollEveryMs = 400;
const maxClaimed = 20;

/**
 * Claims and dials waiting calls, hangs up calls and carries out commands, when woken for them and at an interval, until the signal aborts.
 * Work that arrives during a round is done in the next one. Failures are logged and retried.
 */
export async function keepClaiming(
  control: Control,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  const { deps, lease } = control;
  const pending = new Set<Work>();
  let wake = (): void => undefined;
  const forget = deps.onWake(lease.node, (work) => {
    pending.add(work);
    wake();
  });
  let pollAtMs = 0;
  while (!signal.aborted) {
    if (performance.now() >= pollAtMs) pending.add('any');
    if (pending.has('any')) pollAtMs = performance.now() + pollEveryMs;
    const round = new Set(pending);
    pending.clear();
    await work(control, round, stopping).catch((err: unknown) => {
      // Calls may have been claimed.
      control.noteDoubt();
      deps.log.warn({ err, node: lease.node }, 'call control failed; retrying');
    });
    if (pending.size > 0 || signal.aborted) continue;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollAtMs - performance.now());
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
    });
    signal.removeEventListener('abort', wake);
  }
  forget();
}

async function work(control: Control, round: Set<Work>, stopping: AbortSignal): Promise<void> {
  const { deps, lease } = control;
  const isAny = round.has('any');
  await Promise.all([
    isAny || round.has('hangup')
      ? findHangups(deps.db, lease.node).then((callIds) => hangUp(control, callIds))
      : undefined,
    isAny || round.has('control') ? controlCalls(control) : undefined,
    isAny || round.has('call')
      ? dialWaiting(control, isAny ? claimCalls : claimChosenCalls, stopping)
      : undefined,
  ]);
}

async function dialWaiting(control: Control, claim: typeof claimCalls, stopping: AbortSignal): Promise<void> {
  const { deps, lease } = control;
  for (;;) {
    // All of the claimed calls may be test calls.
    const roomForTest = control.freeTestSlots();
    const room = Math.min(maxClaimed, roomForTest || control.freeSlots());
    if (room <= 0 || stopping.aborted) return;
    const now = deps.clock.now();
    const claimAllowed = roomForTest > 0 ? claim : claimLiveCalls;
    const claimed = await claimAllowed(deps.db, lease, secondsAfter(now, -longestWaitSeconds), now, room);
    for (const call of claimed) {
      deps.observer.callClaimed(call);
      dialCall(control, call);
    }
    if (claimed.length < room) return;
  }
}

/**
 * Hangs up calls, each with all of its legs. A failure does not delay the other calls; it is retried in the next round.
 */
async function hangUp(control: Control, callIds: string[]): Promise<void> {
  const { node, deps, calls } = control;
  const followed = callIds.map((callId) => calls.get(callId)).filter((found) => found !== undefined);
  await Promise.all(
    followed.map(async (each) => {
      await Promise.all(channelsOf(each).map((leg) => node.hangUp(leg))).catch((err: unknown) =>
        deps.log.warn({ err, callId: each.call.callId, node: node.name }, 'call hang-up failed'),
      );
      // Legs that are not dialled yet end as well.
      if (each.legs.some(({ state }) => state === 'pending')) controlCall(control, each);
    }),
  );
}
