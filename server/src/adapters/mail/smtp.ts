import { setTimeout as wait } from 'node:timers/promises';
import { createTransport, type NodemailerError } from 'nodemailer';
import { AddressRefused, type MailTransport } from '../../contexts/notifications/index.ts';
import { explainTls, type SmtpTlsOptions, tlsOptions } from './smtp-tls.ts';

export interface SmtpOptions extends SmtpTlsOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
  url: string;
  /** Sender, such as `Disca <no-reply@example.com>`. */
  from: string;
}

const connectTimeoutMs = 5_000;
const socketTimeoutMs = 10_000;
const closeGraceMs = 10_000;
const maxConnections = 4;

export function createSmtpTransport(options: SmtpOptions): MailTransport & { close(): Promise<void> } {
  const domain = /@([^\s>]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost';
  const underway = new Set<Promise<unknown>>();
  const smtp = createTransport({
    url: options.url,
    ...tlsOptions(options),
    pool: true,
    maxConnections,
    // The server may have closed an idle connection; further retries are left to the job queue.
    maxRequeues: 1,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ to, subject, text, html, messageId }) {
      const sending = smtp.sendMail({
        from: options.from,
        // Passed as an object, the address is parsed as a single address, whatever it contains.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
      underway.add(sending);
      try {
        await sending;
      } catch (error) {
        throw isAddressRefused(error)
          ? new AddressRefused(error.response ?? error.message)
          : explainTls(error);
      } finally {
        underway.delete(sending);
      }
    },
    async close() {
      await Promise.race([Promise.allSettled(underway), wait(closeGraceMs, undefined, { ref: false })]);
      smtp.close();
    },
  };
}

/**
 * Returns whether the recipient was rejected, the only permanent failure. Rejected credentials or senders are retried
 * until the operator fixes them.
 */
function isAddressRefused(error: unknown): error is NodemailerError {
  return (
    error instanceof Error &&
    'command' in error &&
    error.command === 'RCPT TO' &&
    'permanent' in error &&
    error.permanent === true
  );
}
