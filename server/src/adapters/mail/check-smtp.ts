import { createTransport } from 'nodemailer';

const timeoutMs = 5_000;

/** Connects, greets and logs in; sends nothing. Throws what the server said against it. */
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
