import type { Database } from '../../platform/db/database.ts';
import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Clock } from '../../platform/time.ts';
import { expireHolds } from './holds/settle-call.ts';
import { reportAudit } from './ledger/audit-ledger.ts';

export const expireHoldsQueue: QueueDefinition = {
  name: 'billing.expire-holds',
  retryLimit: 2,
  expireInSeconds: 300,
};
export const auditLedgerQueue: QueueDefinition = {
  name: 'billing.audit',
  retryLimit: 2,
  expireInSeconds: 3600,
};

export interface BillingJobDeps {
  db: Database;
  /** For statements that may run for minutes: an account is audited in one statement. */
  longQueryDb: Database;
  clock: Clock;
  log: Logger;
}

export const billingJobs = (deps: BillingJobDeps): JobHandlers => ({
  [expireHoldsQueue.name]: (_data, job) => expireHolds(deps, job.signal),
  [auditLedgerQueue.name]: (_data, job) => reportAudit({ ...deps, db: deps.longQueryDb }, job.signal),
});
