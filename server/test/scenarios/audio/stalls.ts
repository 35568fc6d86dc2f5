import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Records when the machine does not run a waiting thread in time. Audio that is processed then is late as well. */
export interface Stalls {
  /** Returns the longest delay in this time, in milliseconds. */
  longestBetween(fromMs: number, toMs: number): Promise<number>;
  stop(): Promise<void>;
}

interface Stall {
  untilMs: number;
  ms: number;
}

/** Shorter delays are usual and have no effect on packets of 20 ms. */
const leastMs = 5;
const keptMs = 300_000;
/** A delay is known only when it is over. */
const reportMs = 500;

/** A thread that sleeps for 10 ms at a time and posts how much later than that it ran. */
const sleeper = `
const { parentPort } = require('node:worker_threads');
parentPort.postMessage({ untilMs: Date.now(), ms: 0 });
const never = new Int32Array(new SharedArrayBuffer(4));
for (let before = performance.now(); ; ) {
  Atomics.wait(never, 0, 0, 10);
  const now = performance.now();
  const ms = Math.round(now - before - 10);
  before = now;
  if (ms >= ${leastMs}) parentPort.postMessage({ untilMs: Date.now(), ms });
}
`;

/** Returns once its threads run. */
export async function watchStalls(): Promise<Stalls> {
  let stalls: Stall[] = [];
  const note = (stall: Stall): void => {
    if ((stalls[0]?.untilMs ?? stall.untilMs) < stall.untilMs - 2 * keptMs)
      stalls = stalls.filter(({ untilMs }) => untilMs > stall.untilMs - keptMs);
    stalls.push(stall);
  };
  // One for each core, because the others may be free.
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(sleeper, { eval: true }));
  for (const worker of workers) worker.on('message', note);
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return {
    async longestBetween(fromMs, toMs) {
      await sleep(reportMs);
      const overlapping = stalls.filter(({ untilMs, ms }) => untilMs >= fromMs && untilMs - ms <= toMs);
      return Math.max(0, ...overlapping.map(({ ms }) => ms));
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
