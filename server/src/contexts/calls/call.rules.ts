export const callStates = ['queued', 'ringing', 'dialing', 'answered'] as const;
export type CallState = (typeof callStates)[number];

/** Returns the states before `state`. A call only moves forward, so late and repeated reports have no effect. */
export const comesBefore = (state: CallState): CallState[] => callStates.slice(0, callStates.indexOf(state));

/** Funding is renewed this many seconds before it runs out. */
const renewAheadSeconds = 30;

/** Returns when to renew the funding of a call answered at `answeredAt`. */
export const renewAt = (answeredAt: Date, fundedSeconds: number): Date =>
  new Date(answeredAt.getTime() + Math.max(fundedSeconds - renewAheadSeconds, 0) * 1000);

const tryAgainSeconds = 5;

/** Returns when to retry a renewal that found no credit: the account may be topped up before the funded time ends. */
export function tryAgainAt(answeredAt: Date, fundedSeconds: number, now: Date): Date | null {
  const next = now.getTime() + tryAgainSeconds * 1000;
  return next < answeredAt.getTime() + fundedSeconds * 1000 ? new Date(next) : null;
}

/** Unclaimed calls are cancelled after this long; the agent is no longer waiting for the phone to ring. */
export const longestWaitSeconds = 5;
