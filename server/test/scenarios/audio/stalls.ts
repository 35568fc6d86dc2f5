import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Records when the machine does not run a waiting thread in time. Audio that is processed then is late as well. */
export interface Stalls {
  /** Returns the longest delay in this time, in milliseconds. */
  longestBetween(fromMs: number, toMs: number): Promise<number>;
  /** Returns the sum of the delays in this time, of the thread that was delayed most, in milliseconds. */
  totalBetween(fromMs: number, toMs: number): Promise<number>;
  stop(): Promise<void>;
}

interface Stall {
  untilMs: number;
  ms: number;
  thread: number;
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
  workers.forEach((worker, thread) => {
    worker.on('message', (stall: Omit<Stall, 'thread'>) => note({ ...stall, thread }));
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const overlapping = (fromMs: number, toMs: number): Stall[] =>
    stalls.filter(({ untilMs, ms }) => untilMs >= fromMs && untilMs - ms <= toMs);
  return {
    async longestBetween(fromMs, toMs) {
      await sleep(reportMs);
      return Math.max(0, ...overlapping(fromMs, toMs).map(({ ms }) => ms));
    },
    async totalBetween(fromMs, toMs) {
      await sleep(reportMs);
      const totals = workers.map(() => 0);
      for (const { ms, thread } of overlapping(fromMs, toMs)) totals[thread] = (totals[thread] ?? 0) + ms;
      return Math.max(...totals);
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
