import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailSink, startMailSink } from '../../../../simulator/mail-sink/index.ts';
import { createSmtpTransport } from '../../../src/adapters/mail/smtp.ts';
import {
  AddressRefused,
  createMailQueue,
  locales,
  type Mail,
  type MailTransport,
  mailSendQueue,
} from '../../../src/contexts/notifications/index.ts';
import { mailJobs } from '../../../src/contexts/notifications/mail.jobs.ts';
import type { Tx } from '../../../src/platform/db/database.ts';
import { createKeyRing } from '../../../src/platform/keyring.ts';
import { createLogger } from '../../../src/platform/telemetry/log.ts';
import { systemClock } from '../../../src/platform/time.ts';
import { sampleMails } from './samples.ts';

const keyRing = createKeyRing([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
const tx = {} as Tx;

let sink: MailSink;
let transport: MailTransport & { close(): Promise<void> };
const lines: string[] = [];
beforeAll(async () => {
  sink = await startMailSink();
  transport = createSmtpTransport({
    url: sink.smtpUrl,
    tls: 'optional',
    from: 'Disca <no-reply@disca.test>',
  });
});
afterEach(() => sink.refuseAll(false));
afterAll(async () => {
  await transport.close();
  await sink.stop();
});

/** Returns the queued job of this mail, as the database would return it. */
async function queued(mail: Mail): Promise<unknown> {
  const jobs: string[] = [];
  const queueMail = createMailQueue({
    jobs: {
      enqueue: async (_tx, queue, data) => {
        expect(queue).toBe(mailSendQueue.name);
        jobs.push(JSON.stringify(data));
      },
    },
    keyRing,
    clock: systemClock,
  });
  await queueMail(tx, mail);
  expect(jobs).toHaveLength(1);
  return JSON.parse(jobs[0] ?? '');
}

async function work(job: unknown, through: MailTransport = transport) {
  const log = createLogger({ level: 'info', process: 'test' }, { write: (line) => lines.push(line) });
  const handler = mailJobs({ transport: through, keyRing, log })[mailSendQueue.name];
  await handler?.(job, { id: 'job', signal: new AbortController().signal });
}

test.each(locales)('every mail is sent in the language it was queued in: %s', async (locale) => {
  const to = `${locale}@example.com`;
  for (const mail of sampleMails(locale, to)) await work(await queued(mail));
  const received = sink.messages(to);
  expect(received).toHaveLength(sampleMails(locale).length);
  for (const mail of received) {
    expect(mail.text.length).toBeGreaterThan(100);
    expect(mail.html).toContain(`<html lang="${locale}">`);
  }
  const subject = { 'pt-BR': 'Confirme seu e-mail', en: 'Confirm your email' }[locale];
  expect(received.map((mail) => mail.subject)).toContain(subject);
});

test('a mail that got a 451 is sent on the next attempt, with the same Message-ID', async () => {
  const [mail] = sampleMails('en', 'retry@example.com');
  if (!mail) throw new Error('There is no sample.');
  const job = await queued(mail);
  sink.refuseAll(true);
  await expect(work(job)).rejects.toMatchObject({ responseCode: 451 });
  sink.refuseAll(false);
  await work(job);
  await work(job);
  const ids = sink.messages('retry@example.com').map((one) => one.messageId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids)).toEqual(new Set([`<${(job as { id: string }).id}@disca.test>`]));
});

test('neither queue nor log contains the address or the link', async () => {
  const mail = sampleMails('en', 'secret.reader@example.com')[3];
  if (!mail) throw new Error('There is no sample.');
  const job = await queued(mail);
  await work(job);
  const seen = JSON.stringify(job) + lines.join('');
  expect(seen).not.toContain('secret.reader');
  expect(seen).not.toContain('token=');
  expect(lines.at(-1)).toContain('"outcome":"sent"');
});

test('rejects a mail to anything but one address before queueing it', async () => {
  const [sample] = sampleMails('en');
  if (!sample) throw new Error('There is no sample.');
  for (const to of ['a@b.com,c@d.com', 'a@b.com\r\nBcc: c@d.com', 'A <a@b.com>', 'no-domain', '']) {
    await expect(queued({ ...sample, to })).rejects.toThrow();
  }
});

test('rejects a link that is not http before queueing the mail', async () => {
  const mail: Mail = {
    to: 'a@b.com',
    locale: 'en',
    template: 'reset-password',
    data: { link: 'javascript:alert(1)' },
  };
  await expect(queued(mail)).rejects.toThrow();
});

test('a rejected address ends the job, because a retry cannot succeed', async () => {
  const [mail] = sampleMails('en', '.dots..@example.com');
  if (!mail) throw new Error('There is no sample.');
  const refusing = { send: () => Promise.reject(new AddressRefused('550 5.1.1 No such user')) };
  await work(await queued(mail), refusing);
  expect(lines.at(-1)).toContain('"outcome":"address_refused","reply":"550 5.1.1 No such user"');
});
