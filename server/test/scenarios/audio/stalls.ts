import { Worker } from 'node:worker_threads';

/** Records when the machine does not run a waiting thread in time. Audio that is processed then is late as well. */
export interface Stalls {
  /** Returns the longest delay in this time, in milliseconds. */
  longestBetween(fromMs: number, toMs: number): number;
  stop(): Promise<void>;
}

interface Stall {
  untilMs: number;
  ms: number;
}

/** Shorter delays are usual and have no effect on packets of 20 ms. */
const leastMs = 5;
const keptMs = 300_000;

/** A thread that sleeps for 10 ms at a time and posts how much later than that it ran. */
const sleeper = `
const { parentPort } = require('node:worker_threads');
const never = new Int32Array(new SharedArrayBuffer(4));
for (let before = performance.now(); ; ) {
  Atomics.wait(never, 0, 0, 10);
  const now = performance.now();
  const ms = Math.round(now - before - 10);
  before = now;
  if (ms >= ${leastMs}) parentPort.postMessage({ untilMs: Date.now(), ms });
}
`;

export function watchStalls(): Stalls {
  let stalls: Stall[] = [];
  const worker = new Worker(sleeper, { eval: true });
  worker.on('message', (stall: Stall) => {
    if ((stalls[0]?.untilMs ?? stall.untilMs) < stall.untilMs - 2 * keptMs)
      stalls = stalls.filter(({ untilMs }) => untilMs > stall.untilMs - keptMs);
    stalls.push(stall);
  });
  return {
    longestBetween: (fromMs, toMs) =>
      Math.max(
        0,
        ...stalls.flatMap(({ untilMs, ms }) => (untilMs >= fromMs && untilMs - ms <= toMs ? ms : [])),
      ),
    async stop() {
      await worker.terminate();
    },
  };
}
