import { createTransport } from 'nodemailer';

const timeoutMs = 5_000;

/** Connects, sends EHLO and authenticates without sending mail. Throws the server's error. */
export async function checkSmtp(url: string): Promise<void> {
  const smtp = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await smtp.verify();
  } finally {
    smtp.close();
  }
}
