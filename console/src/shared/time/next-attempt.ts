interface Delivery {
  state: string;
  nextAttemptAt: string | null;
}

const maxPollMs = 600_000;

/** No event reports attempts, so polls when the next one is due. Overdue ones are polled with increasing intervals. */
export function untilNextAttemptMs(deliveries: Delivery[], minPollMs: number): number | false {
  const due = deliveries
    .flatMap(({ state, nextAttemptAt }) => (state === 'pending' && nextAttemptAt ? [nextAttemptAt] : []))
    .map((at) => Math.abs(Date.parse(at) - Date.now() + minPollMs));
  return due.length === 0 ? false : Math.min(maxPollMs, Math.max(minPollMs, Math.min(...due)));
}
