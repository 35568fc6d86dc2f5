import type { Control } from './control.ts';

/** Reads the node's clock, which also shows that the node responds. */
export async function readClock(control: Control): Promise<void> {
  const { node, clock, deps } = control;
  const probeSentAt = deps.clock.now().getTime();
  // Keeps the time of the oldest unanswered probe.
  control.probeSentAt ??= probeSentAt;
  const nodeSeconds = await node.readClock();
  control.seenAt = deps.clock.now();
  control.probeSentAt = null;
  clock.note(nodeSeconds, probeSentAt, control.seenAt.getTime());
}

/** Reads the clock again to date an event. If the node no longer responds, the last reading is the best one. */
export const readAgain = (control: Control): Promise<void> => readClock(control).catch(() => undefined);
