import { accessJobs, sweepTokensQueue } from '../contexts/access/access.jobs.ts';
import { accountJobs, sweepAccountsQueue } from '../contexts/accounts/account.jobs.ts';
import { auditLedgerQueue, billingJobs, expireHoldsQueue } from '../contexts/billing/billing.jobs.ts';
import { type MailTransport, mailSendQueue } from '../contexts/notifications/index.ts';
import { mailJobs } from '../contexts/notifications/mail.jobs.ts';
import type { JobHandlers, JobSchedule, QueueDefinition } from '../platform/jobs.ts';
import type { Base } from './wire.ts';

/** Every queue there is; the migration makes them. */
export const queues: QueueDefinition[] = [
  mailSendQueue,
  sweepTokensQueue,
  sweepAccountsQueue,
  expireHoldsQueue,
  auditLedgerQueue,
];

export const jobHandlers = (deps: Base & { transport: MailTransport }): JobHandlers => ({
  ...mailJobs(deps),
  ...accessJobs(deps),
  ...accountJobs(deps),
  ...billingJobs(deps),
});

export const jobSchedule: JobSchedule = {
  [sweepTokensQueue.name]: '10 * * * *',
  [sweepAccountsQueue.name]: '40 * * * *',
  [expireHoldsQueue.name]: '* * * * *',
  [auditLedgerQueue.name]: '20 6 * * *',
};
