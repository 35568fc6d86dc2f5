import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { firstQueue, replayQueue, retryQueue } from './delivery/webhook.queues.ts';
import { type ReplayDeps, replayAll } from './replay/replay-deliveries.ts';
import { type KeepDaysDeps, keepDays } from './retention/keep-days.ts';

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
