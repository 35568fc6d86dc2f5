import type { KeyRing } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type MailJob, mailSchema } from './mail.ts';
import { AddressRefused, type MailTransport } from './ports.ts';
import { renderMail } from './render-mail.ts';

export interface SendMailDeps {
  transport: MailTransport;
  keyRing: KeyRing;
  log: Logger;
}

/**
 * Sends a mail. Permanently rejected addresses are not retried, because that would harm the sender's reputation. Other
 * errors are thrown, and the queue retries.
 */
export async function sendMail({ transport, keyRing, log }: SendMailDeps, job: MailJob): Promise<void> {
  const mail = mailSchema.parse(JSON.parse(keyRing.open('mail', job.sealed)));
  const line = { mailId: job.id, template: mail.template };
  try {
    await transport.send({ to: mail.to, messageId: job.id, ...renderMail(mail) });
    log.info({ ...line, outcome: 'sent' }, 'mail');
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.warn({ ...line, outcome: 'address_refused', reply: error.reply }, 'mail');
  }
}
