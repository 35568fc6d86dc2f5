import type { Locale, Mail } from '../../../src/contexts/notifications/index.ts';

const link = 'https://disca.test/confirm?token=abc&lang=pt';
const changedAt = '2026-03-09T17:05:00.000Z';

/** Returns one mail per template. */
export function sampleMails(locale: Locale, to = 'ana@example.com'): Mail[] {
  return [
    { to, locale, template: 'confirm-email', data: { companyName: 'Padaria São João & Filhos', link } },
    { to, locale, template: 'confirm-new-address', data: { link } },
    { to, locale, template: 'email-changed', data: { newAddress: 'ana.souza@example.net', changedAt } },
    { to, locale, template: 'reset-password', data: { link } },
    { to, locale, template: 'password-changed', data: { changedAt } },
    {
      to,
      locale,
      template: 'webhook-disabled',
      data: { gateway: 'hubspot', host: 'hooks.example.com', disabledAt: changedAt, link },
    },
  ];
}
