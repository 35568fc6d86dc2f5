import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailSink, startMailSink } from '../../../../simulator/mail-sink/index.ts';
import { createSmtpTransport } from '../../../src/adapters/mail/smtp.ts';
import {
  AddressRefused,
  type MailMessage,
  type MailTransport,
} from '../../../src/contexts/notifications/index.ts';

let sink: MailSink;
let transport: MailTransport & { close(): Promise<void> };
beforeAll(async () => {
  sink = await startMailSink();
  transport = createSmtpTransport({ url: sink.smtpUrl, from: 'Disca <no-reply@disca.test>' });
});
afterEach(() => sink.refuseAll(false));
afterAll(async () => {
  await transport.close();
  await sink.stop();
});

const message = (more: Partial<MailMessage>): MailMessage => ({
  to: 'ana@example.com',
  subject: 'Olá',
  text: 'texto',
  html: '<p>texto</p>',
  messageId: 'one',
  ...more,
});

test('a mail arrives with both parts, its Message-ID and the auto-generated header', async () => {
  await transport.send(message({ to: 'both@example.com', messageId: '0198-id' }));
  const [mail] = sink.messages('both@example.com');
  expect(mail).toMatchObject({
    subject: 'Olá',
    from: 'no-reply@disca.test',
    messageId: '<0198-id@disca.test>',
  });
  expect(mail?.text.trim()).toBe('texto');
  expect(mail?.html).toContain('<p>texto</p>');
  expect(mail?.headers).toContainEqual({ name: 'Auto-Submitted', value: 'auto-generated' });
});

test('line breaks in a subject create no header', async () => {
  await transport.send(
    message({ to: 'crlf@example.com', subject: 'Hi\r\nBcc: evil@example.org\r\n\r\nbody' }),
  );
  const [mail] = sink.messages('crlf@example.com');
  expect(mail?.to).toEqual(['crlf@example.com']);
  expect(mail?.headers.map((header) => header.name.toLowerCase())).not.toContain('bcc');
  expect(mail?.subject).toMatch(/^Hi Bcc: evil@example.org +body$/);
});

test.each(['a@example.com, b@example.com', 'a@example.com\r\nRCPT TO:<b@example.com>', 'A <a@example.com>'])(
  'the address %j is never sent to',
  async (to) => {
    await expect(transport.send(message({ to }))).rejects.toThrow(AddressRefused);
    expect(sink.messages('a@example.com')).toEqual([]);
    expect(sink.messages('b@example.com')).toEqual([]);
  },
);

test('a temporary rejection is an ordinary error, and the retry keeps the Message-ID', async () => {
  const mail = message({ to: 'later@example.com', messageId: 'stable' });
  sink.refuseAll(true);
  await expect(transport.send(mail)).rejects.toMatchObject({ responseCode: 451 });
  sink.refuseAll(false);
  await transport.send(mail);
  expect(sink.messages('later@example.com').map((one) => one.messageId)).toEqual(['<stable@disca.test>']);
});

test('an unknown address is distinguished from a failing server', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo: (_address, _session, answer) =>
      answer(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })),
  });
  const port = await listening(server.server);
  const strict = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@disca.test' });
  await expect(strict.send(message({}))).rejects.toThrow(AddressRefused);
  await strict.close();
  await new Promise<void>((closed) => server.close(closed));
});

test('an unreachable server is an immediate error', async () => {
  const gone = await startMailSink();
  const lost = createSmtpTransport({ url: gone.smtpUrl, from: 'no-reply@disca.test' });
  await gone.stop();
  await expect(lost.send(message({}))).rejects.toMatchObject({ code: 'ESOCKET' });
  await lost.close();
});

test('closing waits for a mail in progress', async () => {
  const other = createSmtpTransport({ url: sink.smtpUrl, from: 'no-reply@disca.test' });
  const sending = other.send(message({ to: 'closing@example.com' }));
  await other.close();
  await sending;
  expect(sink.messages('closing@example.com')).toHaveLength(1);
});

test('a pooled connection closed by the server loses no mail', async () => {
  const first = await startMailSink();
  const port = Number(new URL(first.smtpUrl).port);
  const pooled = createSmtpTransport({ url: first.smtpUrl, from: 'no-reply@disca.test' });
  await pooled.send(message({}));
  await first.stop();
  const second = await startMailSink({ smtpPort: port });
  await pooled.send(message({ to: 'again@example.com' }));
  expect(second.messages('again@example.com')).toHaveLength(1);
  await pooled.close();
  await second.stop();
});

function listening(server: SMTPServer['server']) {
  return new Promise<number>((ready) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      ready(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
