export const callStates = ['queued', 'ringing', 'dialing', 'answered'] as const;
export type CallState = (typeof callStates)[number];

/** States that precede `state`. A call only moves forward, so late and repeated reports change nothing. */
export const comesBefore = (state: CallState): CallState[] => callStates.slice(0, callStates.indexOf(state));

/** Funding is renewed this long before it runs out. */
const renewAheadSeconds = 30;

/** When to renew the funding of a call answered at `answeredAt`. */
export const renewAt = (answeredAt: Date, fundedSeconds: number): Date =>
  new Date(answeredAt.getTime() + Math.max(fundedSeconds - renewAheadSeconds, 0) * 1000);

const tryAgainSeconds = 5;

/** When to retry a renewal that found no credit: the account may be topped up before the funded time is over. */
export function tryAgainAt(answeredAt: Date, fundedSeconds: number, now: Date): Date | null {
  const next = now.getTime() + tryAgainSeconds * 1000;
  return next < answeredAt.getTime() + fundedSeconds * 1000 ? new Date(next) : null;
}

/** Unclaimed calls are cancelled after this long; the agent is no longer waiting for the phone to ring. */
export const longestWaitSeconds = 5;
