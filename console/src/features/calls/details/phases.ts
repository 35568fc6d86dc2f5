import type { Call } from '../queries.ts';

export interface Phase {
  name: 'queue' | 'ring' | 'dial' | 'talk';
  fromMs: number;
  toMs: number;
}

const phaseByEvent: Record<string, Phase['name']> = {
  queued: 'queue',
  ringing: 'ring',
  dialing: 'dial',
  answered: 'talk',
};

/** Splits the duration of a call, from the request to its end or until now, into phases. */
export function callPhases(call: Pick<Call, 'timeline' | 'ended_at'>, nowMs: number): Phase[] {
  const moments = call.timeline.flatMap(({ what, at }) => {
    const name = phaseByEvent[what];
    return name ? [{ name, fromMs: Date.parse(at) }] : [];
  });
  const endMs = call.ended_at ? Date.parse(call.ended_at) : nowMs;
  return moments.map(({ name, fromMs }, index) => ({
    name,
    fromMs,
    toMs: Math.max(fromMs, moments[index + 1]?.fromMs ?? endMs),
  }));
}
