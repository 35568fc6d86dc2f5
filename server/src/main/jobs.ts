import { abuseJobs, sweepSignalsQueue, watchAccountsQueue } from '../contexts/abuse/abuse.jobs.ts';
import type { RaiseDeps } from '../contexts/abuse/index.ts';
import { accessJobs, sweepTokensQueue } from '../contexts/access/access.jobs.ts';
import { accountJobs, sweepAccountsQueue } from '../contexts/accounts/account.jobs.ts';
import { auditLedgerQueue, billingJobs, expireHoldsQueue } from '../contexts/billing/billing.jobs.ts';
import {
  callJobs,
  callQueues,
  correctCountersQueue,
  countDaysQueue,
  indexCallsQueue,
  keepMonthsQueue,
  sweepCallsQueue,
} from '../contexts/calls/calls.jobs.ts';
import { chargeJobs, chargeQueues, checkChargesQueue } from '../contexts/charges/charge.jobs.ts';
import { eventJobs, keepEventDaysQueue } from '../contexts/events/event.jobs.ts';
import { extensionJobs, sealDigestsQueue } from '../contexts/extensions/extension.jobs.ts';
import { type MailTransport, mailSendQueue } from '../contexts/notifications/index.ts';
import { mailJobs } from '../contexts/notifications/mail.jobs.ts';
import {
  encryptRecordingsQueue,
  recordingJobs,
  sweepRecordingsQueue,
} from '../contexts/recordings/recording.jobs.ts';
import { keepRequestDaysQueue, requestJobs } from '../contexts/requests/request.jobs.ts';
import { notifyQueue, sandboxJobs } from '../contexts/sandbox/sandbox.jobs.ts';
import { keepDaysQueue, webhookJobs, webhookQueues } from '../contexts/webhooks/webhook.jobs.ts';
import { sweepIdempotencyKeys } from '../platform/idempotency.ts';
import type { JobHandlers, JobSchedule, QueueDefinition } from '../platform/jobs.ts';
import { resealAll, resealQueue } from './reseal.ts';
import type { Base, Money } from './wire.ts';

const sweepKeysQueue: QueueDefinition = { name: 'platform.sweep-keys', retryLimit: 2, expireInSeconds: 600 };

/** All queues; the migration creates them. */
export const queues: QueueDefinition[] = [
  mailSendQueue,
  sweepTokensQueue,
  sweepAccountsQueue,
  expireHoldsQueue,
  auditLedgerQueue,
  ...callQueues,
  watchAccountsQueue,
  sweepSignalsQueue,
  ...chargeQueues,
  notifyQueue,
  sweepRecordingsQueue,
  encryptRecordingsQueue,
  keepEventDaysQueue,
  ...webhookQueues,
  keepRequestDaysQueue,
  sealDigestsQueue,
  resealQueue,
  sweepKeysQueue,
];

export const jobHandlers = (
  deps: Base & Money & { transport: MailTransport; actions: RaiseDeps['actions'] },
): JobHandlers => ({
  ...mailJobs(deps),
  ...accessJobs(deps),
  ...accountJobs(deps),
  ...billingJobs(deps),
  ...callJobs(deps),
  ...abuseJobs(deps),
  ...chargeJobs(deps),
  ...sandboxJobs(deps),
  ...recordingJobs(deps),
  ...extensionJobs(deps),
  ...eventJobs(deps),
  ...webhookJobs(deps),
  ...requestJobs(deps),
  [resealQueue.name]: async (data, job) => {
    await resealAll(deps, data, job.signal);
  },
  [sweepKeysQueue.name]: (_data, job) => sweepIdempotencyKeys(deps, job.signal),
});

export const jobSchedule: JobSchedule = {
  [sweepTokensQueue.name]: '10 * * * *',
  [sweepAccountsQueue.name]: '40 * * * *',
  [expireHoldsQueue.name]: '* * * * *',
  [auditLedgerQueue.name]: '20 6 * * *',
  [keepMonthsQueue.name]: { everySeconds: 21_600 },
  [countDaysQueue.name]: { everySeconds: 900 },
  [sweepCallsQueue.name]: { everySeconds: 5 },
  [watchAccountsQueue.name]: { everySeconds: 10 },
  [sweepSignalsQueue.name]: '30 * * * *',
  [correctCountersQueue.name]: { everySeconds: 60 },
  [indexCallsQueue.name]: { everySeconds: 2 },
  [checkChargesQueue.name]: { everySeconds: 10 },
  [sweepRecordingsQueue.name]: '*/10 * * * *',
  [encryptRecordingsQueue.name]: '5-59/10 * * * *',
  [keepDaysQueue.name]: { everySeconds: 21_600 },
  [keepEventDaysQueue.name]: { everySeconds: 21_600 },
  [keepRequestDaysQueue.name]: { everySeconds: 21_600 },
  [sealDigestsQueue.name]: { everySeconds: 60 },
  [sweepKeysQueue.name]: '50 * * * *',
};
