import type { Database } from '../../platform/db/database.ts';
import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Clock } from '../../platform/time.ts';
import { sweepAccounts } from './sweep-accounts.ts';

export const sweepAccountsQueue: QueueDefinition = {
  name: 'accounts.sweep-unconfirmed',
  retryLimit: 2,
  expireInSeconds: 600,
};

export const accountJobs = (deps: { db: Database; clock: Clock }): JobHandlers => ({
  [sweepAccountsQueue.name]: (_data, job) => sweepAccounts(deps, job.signal),
});
