import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MailSink, type SinkMessage, startMailSink } from './index.ts';
import { keptMessages, openMessageStore } from './store.ts';

let sink: MailSink;
beforeEach(async () => {
  sink = await startMailSink();
});
afterEach(() => sink.stop());

async function deliver(to: string, more: { subject?: string; text?: string; html?: string } = {}) {
  const client = createTransport({ url: sink.smtpUrl });
  await client.sendMail({ from: 'Disca <no-reply@disca.test>', to, subject: 'Olá', text: 'texto', ...more });
}

const getJson = async <T>(path: string) => (await (await fetch(sink.httpUrl + path)).json()) as T;

test('stores a mail with its text, HTML and links', async () => {
  await deliver('ana@example.com', {
    subject: 'Confirmação',
    text: 'Abra https://disca.test/a?x=1&y=2 agora.',
    html: '<a href="https://disca.test/b?x=1&amp;y=2">abra</a>',
  });
  const message = await sink.waitFor((one) => one.to.includes('ana@example.com'));
  expect(message).toMatchObject({
    from: 'no-reply@disca.test',
    to: ['ana@example.com'],
    subject: 'Confirmação',
    links: ['https://disca.test/a?x=1&y=2', 'https://disca.test/b?x=1&y=2'],
  });
  expect(message.text).toContain('Abra');
  expect(message.html).toContain('abra');
});

test('lists messages newest first and by address, ignoring case', async () => {
  await deliver('ana@example.com', { subject: 'one' });
  await deliver('bia@example.com', { subject: 'two' });
  await deliver('ana@example.com', { subject: 'three' });
  const all = await getJson<SinkMessage[]>('/messages');
  expect(all.map((message) => message.subject)).toEqual(['three', 'two', 'one']);
  const hers = await getJson<SinkMessage[]>('/messages?to=ANA@example.com');
  expect(hers.map((message) => message.subject)).toEqual(['three', 'one']);
  expect(await getJson<SinkMessage>(`/messages/${hers[0]?.id}`)).toEqual(hers[0]);
});

test('serves the page and mails under a policy that allows no foreign script', async () => {
  await deliver('ana@example.com', { html: '<script>alert(1)</script><p>oi</p>' });
  const page = await fetch(sink.httpUrl);
  expect(await page.text()).toContain('Mail sink');
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[\w+/=]+';/);
  const mail = await fetch(`${sink.httpUrl}/messages/${sink.messages()[0]?.id}/html`);
  expect(await mail.text()).toContain('<p>oi</p>');
  expect(mail.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups /);
  expect(mail.headers.get('content-security-policy')).not.toContain('allow-scripts');
});

test('rejects an unknown message, path or method', async () => {
  expect((await fetch(`${sink.httpUrl}/messages/none`)).status).toBe(404);
  expect((await fetch(`${sink.httpUrl}/../etc/passwd`)).status).toBe(404);
  expect((await fetch(sink.httpUrl, { method: 'POST' })).status).toBe(405);
});

test('responds 451 while refusing, and accepts mail again afterwards', async () => {
  sink.refuseAll(true);
  await expect(deliver('ana@example.com')).rejects.toMatchObject({ responseCode: 451 });
  sink.refuseAll(false);
  await deliver('ana@example.com');
  expect(sink.messages()).toHaveLength(1);
});

test('rejects a mail over the size limit', async () => {
  await expect(deliver('ana@example.com', { text: 'x'.repeat(300 * 1024) })).rejects.toMatchObject({
    responseCode: 552,
  });
  expect(sink.messages()).toHaveLength(0);
});

test('a timeout while waiting for a mail lists the mails received', async () => {
  await deliver('ana@example.com', { subject: 'something else' });
  await expect(sink.waitFor((one) => one.subject === 'wanted', 20)).rejects.toThrow('something else');
});

test('keeps the newest thousand messages in a directory over a restart', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mail-sink-test-'));
  const store = await openMessageStore(dir);
  for (let number = 1; number <= keptMessages + 5; number += 1) {
    await store.add(sample(String(number).padStart(6, '0')));
  }
  expect(await readdir(dir)).toHaveLength(keptMessages);
  const again = (await openMessageStore(dir)).list();
  expect(again).toHaveLength(keptMessages);
  expect(again[0]?.id).toBe(String(keptMessages + 5).padStart(6, '0'));
  await rm(dir, { recursive: true });
});

function sample(id: string): SinkMessage {
  const receivedAt = new Date(0).toISOString();
  const to = ['ana@example.com'];
  return {
    id,
    to,
    from: '',
    subject: '',
    text: '',
    html: '',
    receivedAt,
    links: [],
    messageId: '',
    headers: [],
  };
}
