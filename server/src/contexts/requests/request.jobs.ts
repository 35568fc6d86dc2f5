import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type KeepRequestDaysDeps, keepRequestDays } from './keep-days.ts';

export const keepRequestDaysQueue: QueueDefinition = {
  name: 'requests.keep-days',
  retryLimit: 5,
  retryDelay: 60,
  expireInSeconds: 600,
};

export const requestJobs = (deps: KeepRequestDaysDeps): JobHandlers => ({
  [keepRequestDaysQueue.name]: () => keepRequestDays(deps),
});
