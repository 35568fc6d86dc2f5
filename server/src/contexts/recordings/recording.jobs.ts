import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type SweepDeps, sweepRecordings } from './sweep-recordings.ts';

export const sweepRecordingsQueue: QueueDefinition = {
  name: 'recordings.sweep',
  retryLimit: 2,
  expireInSeconds: 3600,
};

export const recordingJobs = (deps: SweepDeps): JobHandlers => ({
  [sweepRecordingsQueue.name]: (_data, job) => sweepRecordings(deps, job.signal),
});
