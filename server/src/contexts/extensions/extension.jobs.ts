import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import { type SealDigestsDeps, sealDigests } from './seal-digests.ts';

/** Stores HA1s as the edges need them, which changes when edges are replaced and when a key is added. */
export const sealDigestsQueue: QueueDefinition = {
  name: 'extensions.seal-digests',
  retryLimit: 0,
  expireInSeconds: 900,
  deleteAfterSeconds: 3600,
};

export const extensionJobs = (deps: SealDigestsDeps): JobHandlers => ({
  [sealDigestsQueue.name]: async (_data, job) => {
    await sealDigests(deps, job.signal);
  },
});
