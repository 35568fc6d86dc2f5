import { worryingClockSkewSeconds } from '../../platform/call-timings.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Instruments } from './instruments.ts';

const isWorrying = (skewMs: number): boolean => Math.abs(skewMs) > worryingClockSkewSeconds * 1000;

/** Records the clock skew of each media node; logs a warning when it starts to exceed the limit. */
export function observeClockSkew(instruments: Instruments, log: Logger) {
  const skewMsOfNode = new Map<string, number>();
  instruments.gauge('disca_node_clock_skew_seconds', () =>
    [...skewMsOfNode].map(([node, skewMs]) => ({ labels: { node }, value: skewMs / 1000 })),
  );
  return (node: string, skewMs: number): void => {
    const previousMs = skewMsOfNode.get(node) ?? 0;
    if (isWorrying(skewMs) && !isWorrying(previousMs))
      log.warn({ node, skewMs }, 'media node clock skew exceeds the limit');
    skewMsOfNode.set(node, skewMs);
  };
}
