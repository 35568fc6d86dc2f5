import type { Tx } from '../../platform/db/database.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { JobQueue, QueueDefinition } from '../../platform/jobs.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { Clock } from '../../platform/time.ts';
import { type Mail, type MailJob, mailSchema, type TemplateName } from './mail.ts';

/** Queues a mail in the caller's transaction, so that it is sent only after commit. */
export type QueueMail = (tx: Tx, mail: Mail) => Promise<void>;

export interface MailQueueDeps {
  jobs: Pick<JobQueue, 'enqueue'>;
  keyRing: KeyRing;
  clock: Clock;
  /** Rate limit per address and template; mails over the limit are silently dropped. */
  mayMail?: (template: TemplateName, address: string) => Promise<boolean>;
}

export function createMailQueue(deps: MailQueueDeps): QueueMail {
  return async (tx, mail) => {
    if (deps.mayMail && !(await deps.mayMail(mail.template, mail.to))) return;
    const job: MailJob = {
      id: uuidv7(deps.clock.now()),
      sealed: deps.keyRing.seal('mail', JSON.stringify(mailSchema.parse(mail))),
    };
    await deps.jobs.enqueue(tx, mailSendQueue.name, job);
  };
}

/**
 * Back-off grows from 5 s to 10 min: 150 attempts span a day, so that a mail server may be down overnight. Attempts
 * time out after 2 min.
 */
export const mailSendQueue: QueueDefinition = {
  name: 'mail.send',
  retryLimit: 150,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 120,
  retentionSeconds: 3 * 24 * 3600,
  deleteAfterSeconds: 24 * 3600,
};
