import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type KeepEventDaysDeps, keepEventDays } from './keep-days.ts';

/** The name is that of release 0.1, whose schedule stays in the database. */
export const keepEventDaysQueue: QueueDefinition = {
  name: 'events.sweep',
  retryLimit: 2,
  expireInSeconds: 3600,
};

export const eventJobs = (deps: KeepEventDaysDeps): JobHandlers => ({
  [keepEventDaysQueue.name]: () => keepEventDays(deps),
});
