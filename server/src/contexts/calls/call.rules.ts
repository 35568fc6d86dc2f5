export const callStates = ['queued', 'ringing', 'dialing', 'answered'] as const;
export type CallState = (typeof callStates)[number];

/** A call only moves forward: what is told late or twice moves nothing. */
export const comesBefore = (state: CallState): CallState[] => callStates.slice(0, callStates.indexOf(state));

/** More time is bought this long before it runs out. */
const renewAheadSeconds = 30;

/** When to buy more for a call that was answered then and is funded for so long. */
export const renewAt = (answeredAt: Date, fundedSeconds: number): Date =>
  new Date(answeredAt.getTime() + Math.max(fundedSeconds - renewAheadSeconds, 0) * 1000);

const tryAgainSeconds = 5;

/** When to ask again for a call whose credit is used up: somebody may top it up before the funded time is over. */
export function tryAgainAt(answeredAt: Date, fundedSeconds: number, now: Date): Date | null {
  const next = now.getTime() + tryAgainSeconds * 1000;
  return next < answeredAt.getTime() + fundedSeconds * 1000 ? new Date(next) : null;
}

/** A call that nobody took within this time is not placed any more: who asked has moved on. */
export const longestWaitSeconds = 5;
