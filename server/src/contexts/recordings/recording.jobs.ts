import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { encryptRecordings } from './encrypt-recordings.ts';
import type { WriteFileDeps } from './encrypted-file.ts';
import { type SweepDeps, sweepRecordings } from './sweep-recordings.ts';

export const sweepRecordingsQueue: QueueDefinition = {
  name: 'recordings.sweep',
  retryLimit: 2,
  expireInSeconds: 3600,
};

/** Encrypts files from before the encryption. */
export const encryptRecordingsQueue: QueueDefinition = {
  name: 'recordings.encrypt',
  retryLimit: 0,
  expireInSeconds: 3600,
};

export const recordingJobs = (deps: SweepDeps & WriteFileDeps): JobHandlers => ({
  [sweepRecordingsQueue.name]: (_data, job) => sweepRecordings(deps, job.signal),
  [encryptRecordingsQueue.name]: async (_data, job) => {
    await encryptRecordings(deps, job.signal);
  },
});
