import type { SignalFacts } from '../../../src/contexts/abuse/signals.rules.ts';
import type { FactorChange, Locale, Mail } from '../../../src/contexts/notifications/index.ts';

const link = 'https://disca.test/confirm?token=abc&lang=pt';
const changedAt = '2026-03-09T17:05:00.000Z';

const factorChanges: FactorChange[] = [
  'added',
  'removed',
  'reset',
  'recovery-codes-replaced',
  'recovery-code-used',
];

/** One of each kind. */
const signals: SignalFacts[] = [
  { kind: 'spend_velocity', spentMicros: 31_500_000, highestHourMicros: 4_000_000, days: 28 },
  {
    kind: 'new_destinations',
    calls: 4,
    prefixes: ['5521', '2376'],
    highestMinuteMicros: 2_500_000,
    usualMinuteMicros: 100_000,
  },
  { kind: 'outside_hours', calls: 7, hourOfWeek: 6 * 24 + 2, days: 28 },
  { kind: 'short_calls', answered: 80, share: 0.9, usualShare: 0.1 },
  { kind: 'answer_rate', ended: 80, share: 0.05, usualShare: 0.5 },
  { kind: 'new_network', network: '203.0.113.0/24', extensions: ['1000', '1001'] },
];

/** Returns at least one mail per template. */
export function sampleMails(locale: Locale, to = 'ana@example.com'): Mail[] {
  return [
    { to, locale, template: 'confirm-email', data: { companyName: 'Padaria São João & Filhos', link } },
    { to, locale, template: 'confirm-new-address', data: { link } },
    { to, locale, template: 'email-changed', data: { newAddress: 'ana.souza@example.net', changedAt } },
    { to, locale, template: 'email-changed', data: { newAddress: 'ana.souza@example.net', changedAt, link } },
    ...['Ana Souza', ''].map(
      (inviterName): Mail => ({
        to,
        locale,
        template: 'invitation',
        data: { companyName: 'Padaria São João & Filhos', inviterName, link },
      }),
    ),
    { to, locale, template: 'reset-password', data: { link } },
    { to, locale, template: 'sign-up-refused', data: { link } },
    { to, locale, template: 'account-approved', data: { companyName: 'Padaria São João & Filhos', link } },
    { to, locale, template: 'password-changed', data: { changedAt } },
    { to, locale, template: 'new-login', data: { address: '203.0.113.7', at: changedAt } },
    ...['CRM', ''].map(
      (name): Mail => ({ to, locale, template: 'token-created', data: { name, createdAt: changedAt } }),
    ),
    ...factorChanges.map(
      (change): Mail => ({
        to,
        locale,
        template: 'second-factor-changed',
        data: { change, name: change === 'recovery-code-used' ? '9' : 'Phone', changedAt },
      }),
    ),
    { to, locale, template: 'operator-code', data: { name: 'ana', code: 'x7Yc0pQ2mB' } },
    {
      to,
      locale,
      template: 'webhook-disabled',
      data: { gateway: 'hubspot', host: 'hooks.example.com', disabledAt: changedAt, link },
    },
    { to, locale, template: 'balance-low', data: { available: 9.7, isTest: true, link } },
    ...signals.flatMap((facts): Mail[] =>
      [true, false].map((isSuspended) => ({
        to,
        locale,
        template: 'abuse-signal',
        data: { facts, isSuspended, at: changedAt, link },
      })),
    ),
  ];
}
