/** Maps a node's clock to ours, to show times and detect skew. Durations are always differences on one clock. */
export interface NodeClock {
  /** Records a reading of the node's clock, with our times of request and response. */
  note(nodeSeconds: number, sentAtMs: number, answeredAtMs: number): void;
  /** Offset of the node's clock from ours; positive if it is ahead. */
  skewMs(): number;
  toOurs(nodeSeconds: number): Date;
  toNode(at: Date): number;
}

const keptReadings = 60;

/** Creates a node clock, which uses the reading with the shortest round trip. */
export function createNodeClock(): NodeClock {
  const readings: { skewMs: number; tripMs: number }[] = [];
  const skewMs = (): number =>
    readings.reduce((best, each) => (each.tripMs < best.tripMs ? each : best), {
      skewMs: 0,
      tripMs: Number.POSITIVE_INFINITY,
    }).skewMs;
  return {
    note(nodeSeconds, sentAtMs, answeredAtMs) {
      const middleMs = (sentAtMs + answeredAtMs) / 2;
      readings.push({ skewMs: nodeSeconds * 1000 - middleMs, tripMs: answeredAtMs - sentAtMs });
      if (readings.length > keptReadings) readings.shift();
    },
    skewMs,
    toOurs: (nodeSeconds) => new Date(nodeSeconds * 1000 - skewMs()),
    toNode: (at) => (at.getTime() + skewMs()) / 1000,
  };
}
