import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { RaiseDeps } from './raise-signal.ts';
import { sweepSignals } from './sweep-signals.ts';
import { createWatch } from './watch-accounts.ts';

export const watchAccountsQueue: QueueDefinition = {
  name: 'abuse.watch',
  retryLimit: 0,
  expireInSeconds: 120,
  deleteAfterSeconds: 600,
};

export const sweepSignalsQueue: QueueDefinition = {
  name: 'abuse.sweep',
  retryLimit: 2,
  expireInSeconds: 600,
};

export function abuseJobs(deps: RaiseDeps): JobHandlers {
  const watch = createWatch(deps);
  return {
    [watchAccountsQueue.name]: (_data, job) => watch(job.signal),
    [sweepSignalsQueue.name]: (_data, job) => sweepSignals(deps, job.signal),
  };
}
