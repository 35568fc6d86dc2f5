/** A node's clock beside ours. Only differences on one clock are durations; this is for showing moments, and for telling skew. */
export interface NodeClock {
  /** A reading of the node's clock, and when we asked and were answered by ours. */
  note(nodeSeconds: number, askedAtMs: number, answeredAtMs: number): void;
  /** How far the node is ahead of us. */
  skewMs(): number;
  toOurs(nodeSeconds: number): Date;
  toNode(at: Date): number;
}

const keptReadings = 60;

/** The reading that took the shortest way is the truest. */
export function createNodeClock(): NodeClock {
  const readings: { skewMs: number; tripMs: number }[] = [];
  const skewMs = (): number =>
    readings.reduce((best, each) => (each.tripMs < best.tripMs ? each : best), {
      skewMs: 0,
      tripMs: Number.POSITIVE_INFINITY,
    }).skewMs;
  return {
    note(nodeSeconds, askedAtMs, answeredAtMs) {
      const middleMs = (askedAtMs + answeredAtMs) / 2;
      readings.push({ skewMs: nodeSeconds * 1000 - middleMs, tripMs: answeredAtMs - askedAtMs });
      if (readings.length > keptReadings) readings.shift();
    },
    skewMs,
    toOurs: (nodeSeconds) => new Date(nodeSeconds * 1000 - skewMs()),
    toNode: (at) => (at.getTime() + skewMs()) / 1000,
  };
}
