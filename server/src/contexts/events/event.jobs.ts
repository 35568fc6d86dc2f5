import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type SweepEventsDeps, sweepEvents } from './sweep-events.ts';

export const sweepEventsQueue: QueueDefinition = {
  name: 'events.sweep',
  retryLimit: 2,
  expireInSeconds: 3600,
};

export const eventJobs = (deps: SweepEventsDeps): JobHandlers => ({
  [sweepEventsQueue.name]: (_data, job) => sweepEvents(deps, job.signal),
});
