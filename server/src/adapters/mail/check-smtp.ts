import { createTransport } from 'nodemailer';
import { explainTls, type SmtpTlsOptions, tlsOptions } from './smtp-tls.ts';

const timeoutMs = 5_000;

/** Connects, sends EHLO and authenticates without sending mail. Throws the server's error. */
export async function checkSmtp(url: string, options: SmtpTlsOptions): Promise<void> {
  const smtp = createTransport({
    url,
    ...tlsOptions(options),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await smtp.verify();
  } catch (error) {
    throw explainTls(error);
  } finally {
    smtp.close();
  }
}
