import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type KeepDaysDeps, keepDays } from './keep-days.ts';
import { type ReplayDeps, replayAll } from './replay-deliveries.ts';
import { firstQueue, replayQueue, retryQueue } from './webhook.queues.ts';

export const keepDaysQueue: QueueDefinition = {
  name: 'webhooks.keep-days',
  retryLimit: 5,
  retryDelay: 60,
  expireInSeconds: 600,
};

export const webhookQueues: QueueDefinition[] = [firstQueue, retryQueue, replayQueue, keepDaysQueue];

export const webhookJobs = (deps: KeepDaysDeps & ReplayDeps): JobHandlers => ({
  [replayQueue.name]: (data, job) => replayAll(deps, data, job.signal),
  [keepDaysQueue.name]: () => keepDays(deps),
});
