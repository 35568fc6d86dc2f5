import { worryingClockSkewSeconds } from '../../../platform/call-timings.ts';

/** Maps a node's clock to ours, to show times and detect skew. Durations are always differences on one clock. */
export interface NodeClock {
  /** Records a reading of the node's clock, with our times of request and response. */
  note(nodeSeconds: number, sentAtMs: number, answeredAtMs: number): void;
  /** Offset of the node's clock from ours; positive if it is ahead. */
  skewMs(): number;
  toOurs(nodeSeconds: number): Date;
  /** Whether an event that arrives now and has this time is old, or the node's clock was set since the last reading. */
  isDoubtful(nodeSeconds: number): boolean;
  toNode(at: Date): number;
}

const keptReadings = 60;
/** How far clocks drift apart while readings are kept, with a margin. */
const maxDriftMs = 500;

interface Reading {
  skewMs: number;
  tripMs: number;
}

const noReading: Reading = { skewMs: 0, tripMs: Number.POSITIVE_INFINITY };

/** A reading is off by at most half of its round trip. Two that differ by more mean that a clock was set in between. */
const contradicts = (one: Reading, other: Reading): boolean =>
  Math.abs(one.skewMs - other.skewMs) > (one.tripMs + other.tripMs) / 2 + maxDriftMs;

/** Creates a node clock, which uses the reading with the shortest round trip since a clock was last set. */
export function createNodeClock(now: () => Date): NodeClock {
  let readings: Reading[] = [];
  const best = (): Reading =>
    readings.reduce((found, each) => (each.tripMs < found.tripMs ? each : found), noReading);
  const skewMs = (): number => best().skewMs;
  const toOursMs = (nodeSeconds: number): number => nodeSeconds * 1000 - skewMs();
  return {
    note(nodeSeconds, sentAtMs, answeredAtMs) {
      const middleMs = (sentAtMs + answeredAtMs) / 2;
      const reading = { skewMs: nodeSeconds * 1000 - middleMs, tripMs: answeredAtMs - sentAtMs };
      if (contradicts(reading, best())) readings = [];
      readings.push(reading);
      if (readings.length > keptReadings) readings.shift();
    },
    skewMs,
    toOurs(nodeSeconds) {
      const atMs = toOursMs(nodeSeconds);
      // What has happened is not in the future: the node's clock was set since the last reading.
      const isSet = atMs > now().getTime() + worryingClockSkewSeconds * 1000;
      return isSet ? now() : new Date(atMs);
    },
    isDoubtful: (nodeSeconds) =>
      Math.abs(now().getTime() - toOursMs(nodeSeconds)) > worryingClockSkewSeconds * 1000,
    toNode: (at) => (at.getTime() + skewMs()) / 1000,
  };
}
