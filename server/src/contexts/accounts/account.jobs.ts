import type { Database } from '../../platform/db/database.ts';
import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Clock } from '../../platform/time.ts';
import { sweepInvitations } from '../users/index.ts';
import { sweepAccounts } from './sweep-accounts.ts';

export const sweepAccountsQueue: QueueDefinition = {
  name: 'accounts.sweep-unconfirmed',
  retryLimit: 2,
  expireInSeconds: 600,
};

export const accountJobs = (deps: { db: Database; clock: Clock }): JobHandlers => ({
  [sweepAccountsQueue.name]: async (_data, job) => {
    await sweepAccounts(deps, job.signal);
    await sweepInvitations(deps, job.signal);
  },
});
