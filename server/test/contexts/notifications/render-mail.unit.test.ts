import { describe, expect, test } from 'vitest';
import { locales } from '../../../src/contexts/notifications/index.ts';
import { renderMail } from '../../../src/contexts/notifications/render-mail.ts';
import { sampleMails } from './samples.ts';

const confirmation = (companyName: string) =>
  renderMail({
    to: 'ana@example.com',
    locale: 'en',
    template: 'confirm-email',
    data: { companyName, link: 'https://disca.test/c?a=1&b="2"' },
  });

describe.each(locales)('in %s', (locale) => {
  test.each(sampleMails(locale))('$template has a short subject, a text and an HTML part', (mail) => {
    const { subject, text, html } = renderMail(mail);
    expect(subject.length).toBeLessThan(40);
    expect(html).toContain(`<html lang="${locale}">`);
    expect(html).toContain(`<title>${subject}</title>`);
    if ('link' in mail.data) {
      expect(text).toContain(`\n${mail.data.link}\n`);
      expect(html.match(/href="https:\/\/disca\.test\/confirm\?token=abc&amp;lang=pt"/g)).toHaveLength(2);
    }
    expect(`${subject}${text}${html}`).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test('every template states why the recipient gets it', () => {
    const why = { 'pt-BR': 'Você recebeu esta mensagem porque', en: 'You are getting this message because' };
    for (const mail of sampleMails(locale)) {
      expect(renderMail(mail).text).toContain(why[locale]);
      expect(renderMail(mail).html).toContain(why[locale]);
    }
  });
});

test('the two languages differ in every visible line', () => {
  const english = sampleMails('en').map(renderMail);
  for (const [index, mail] of sampleMails('pt-BR').map(renderMail).entries()) {
    expect(mail.subject).not.toBe(english[index]?.subject);
    const shared = new Set(english[index]?.text.split('\n').filter((line) => line.length > 10));
    const same = mail.text.split('\n').filter((line) => shared.has(line) && !line.startsWith('https:'));
    expect(same).toEqual([]);
  }
});

test('a name cannot inject markup into the HTML', () => {
  const { html } = confirmation('<img src=x onerror=alert(1)> & "Co"');
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot;');
  expect(html).toContain('href="https://disca.test/c?a=1&amp;b=&quot;2&quot;"');
});

test('a name cannot inject lines, links or bidirectional text into the mail', () => {
  const { text, html } = confirmation(
    'Acme\r\n\r\nBcc: evil@example.org\u2028\u202Ehttps://evil.example/win',
  );
  expect(text).not.toMatch(/^Bcc/m);
  expect(text).not.toMatch(/[\u2028\u202E]/);
  expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://disca.test/c?a=1&b="2"']);
  expect(html).not.toContain('https://evil');
  expect(html).not.toContain('evil.example');
});

test('a long name is truncated without splitting a character', () => {
  const { text } = confirmation('📞'.repeat(200));
  expect(text).toContain(`${'📞'.repeat(79)}…`);
  expect(text).not.toContain('\uFFFD');
});

test('the old address is sent the new one masked, with the time and its zone', () => {
  const [, , portuguese] = sampleMails('pt-BR').map(renderMail);
  expect(portuguese?.text).toContain('a•••@example.net');
  expect(portuguese?.html).not.toContain('ana.souza');
  expect(portuguese?.text).toContain('9 de março de 2026 às 14:05 (horário de Brasília)');
  const [, , english] = sampleMails('en').map(renderMail);
  expect(english?.text).toContain('9 March 2026 at 17:05 (UTC)');
});
