import type { Database } from '../../platform/db/database.ts';
import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Clock } from '../../platform/time.ts';
import { sweepTokens } from './sweep-tokens.ts';

export const sweepTokensQueue: QueueDefinition = {
  name: 'access.sweep-tokens',
  retryLimit: 2,
  expireInSeconds: 600,
};

export const accessJobs = (deps: { db: Database; clock: Clock }): JobHandlers => ({
  [sweepTokensQueue.name]: (_data, job) => sweepTokens(deps, job.signal),
});
