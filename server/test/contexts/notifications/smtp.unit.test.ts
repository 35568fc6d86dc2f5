import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MailSink, startMailSink } from '../../../../simulator/mail-sink/index.ts';
import { checkSmtp } from '../../../src/adapters/mail/check-smtp.ts';
import { createSmtpTransport } from '../../../src/adapters/mail/smtp.ts';
import {
  AddressRefused,
  type MailMessage,
  type MailTransport,
} from '../../../src/contexts/notifications/index.ts';
import { makeCertificate } from '../../adapters/webhooks/servers.ts';

let sink: MailSink;
let transport: MailTransport & { close(): Promise<void> };
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
  const strict = createSmtpTransport({
    url: `smtp://127.0.0.1:${port}`,
    tls: 'optional',
    from: 'no-reply@disca.test',
  });
  await expect(strict.send(message({}))).rejects.toThrow(AddressRefused);
  await strict.close();
  await new Promise<void>((closed) => server.close(closed));
});

test('an unreachable server is an immediate error', async () => {
  const gone = await startMailSink();
  const lost = createSmtpTransport({ url: gone.smtpUrl, tls: 'optional', from: 'no-reply@disca.test' });
  await gone.stop();
  await expect(lost.send(message({}))).rejects.toMatchObject({ code: 'ESOCKET' });
  await lost.close();
});

describe('a mail server without STARTTLS', () => {
  test('gets no mail by default, and the error says what to do', async () => {
    const careful = createSmtpTransport({ url: sink.smtpUrl, tls: 'required', from: 'no-reply@disca.test' });
    onTestFinished(() => careful.close());
    await expect(careful.send(message({ to: 'plain@example.com' }))).rejects.toThrow(
      /does not offer STARTTLS, so no mail is sent\. .*smtps:\/\/.*SMTP_TLS=optional/,
    );
    expect(sink.messages('plain@example.com')).toEqual([]);
    await expect(checkSmtp(sink.smtpUrl, { tls: 'required' })).rejects.toThrow(/does not offer STARTTLS/);
  });

  test('gets mail if the operator allows it', async () => {
    await transport.send(message({ to: 'allowed@example.com' }));
    expect(sink.messages('allowed@example.com')).toHaveLength(1);
    await checkSmtp(sink.smtpUrl, { tls: 'optional' });
  });
});

test('a mail server with STARTTLS gets mail only if its certificate is trusted', async () => {
  const certificate = await makeCertificate('IP:127.0.0.1', 30);
  const encrypted: boolean[] = [];
  const server = new SMTPServer({
    ...certificate,
    disabledCommands: ['AUTH'],
    closeTimeout: 100,
    onData(stream, session, answer) {
      encrypted.push(session.secure);
      stream.resume().once('end', () => answer());
    },
  });
  // A client that does not trust the certificate ends the connection.
  server.on('error', () => undefined);
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)));
  const url = `smtp://127.0.0.1:${await listening(server.server)}`;
  for (const tls of ['required', 'optional'] as const) {
    const suspicious = createSmtpTransport({ url, tls, from: 'no-reply@disca.test' });
    onTestFinished(() => suspicious.close());
    await expect(suspicious.send(message({}))).rejects.toThrow(/self.signed certificate/);
  }
  expect(encrypted).toEqual([]);
  const trusting = { tls: 'required', ca: certificate.cert } as const;
  const sure = createSmtpTransport({ url, ...trusting, from: 'no-reply@disca.test' });
  onTestFinished(() => sure.close());
  await sure.send(message({}));
  expect(encrypted).toEqual([true]);
  await checkSmtp(url, trusting);
});

test('closing waits for a mail in progress', async () => {
  const other = createSmtpTransport({ url: sink.smtpUrl, tls: 'optional', from: 'no-reply@disca.test' });
  const sending = other.send(message({ to: 'closing@example.com' }));
  await other.close();
  await sending;
  expect(sink.messages('closing@example.com')).toHaveLength(1);
});

test('a pooled connection closed by the server loses no mail', async () => {
  const first = await startMailSink();
  const port = Number(new URL(first.smtpUrl).port);
  const pooled = createSmtpTransport({ url: first.smtpUrl, tls: 'optional', from: 'no-reply@disca.test' });
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
