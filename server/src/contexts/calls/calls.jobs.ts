import type { Database } from '../../platform/db/database.ts';
import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { correctCounters } from './lifecycle/correct-counters.ts';
import { sweepCalls } from './lifecycle/sweep-calls.ts';
import type { CallObserver } from './observer.ts';
import { keepMonths, type PartitionDeps } from './retention/keep-partitions.ts';
import { indexCalls } from './search/index-calls.ts';
import { countDays } from './summary/call-counts.ts';
import { sumCalls } from './summary/sum-calls.ts';

export const keepMonthsQueue: QueueDefinition = {
  name: 'calls.keep-months',
  retryLimit: 5,
  retryDelay: 60,
  expireInSeconds: 600,
};
export const countDaysQueue: QueueDefinition = {
  name: 'calls.count-days',
  retryLimit: 0,
  expireInSeconds: 3600,
  deleteAfterSeconds: 3600,
};

export const sweepCallsQueue: QueueDefinition = {
  name: 'calls.sweep',
  retryLimit: 0,
  expireInSeconds: 120,
  deleteAfterSeconds: 3600,
};

export const correctCountersQueue: QueueDefinition = {
  name: 'calls.correct-counters',
  retryLimit: 0,
  expireInSeconds: 120,
  deleteAfterSeconds: 3600,
};

/** Calls are found by their words within 5 s, see SEARCH-04. */
export const indexCallsQueue: QueueDefinition = {
  name: 'calls.index',
  retryLimit: 0,
  expireInSeconds: 120,
  deleteAfterSeconds: 600,
};

export const callQueues: QueueDefinition[] = [
  keepMonthsQueue,
  countDaysQueue,
  sweepCallsQueue,
  correctCountersQueue,
  indexCallsQueue,
];

/** Roll-ups process a day of calls per statement, which may exceed the statement timeout of requests. */
export const callJobs = (
  deps: PartitionDeps & { longQueryDb: Database; observer: CallObserver; log: Logger },
): JobHandlers => ({
  [sweepCallsQueue.name]: (_data, job) => sweepCalls(deps, job.signal),
  [correctCountersQueue.name]: () => correctCounters(deps),
  [indexCallsQueue.name]: (_data, job) => indexCalls(deps, job.signal),
  [keepMonthsQueue.name]: () => keepMonths(deps),
  [countDaysQueue.name]: async (_data, job) => {
    await countDays({ ...deps, db: deps.longQueryDb }, job.signal);
    await sumCalls({ ...deps, db: deps.longQueryDb }, job.signal);
  },
});
