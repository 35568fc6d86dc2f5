import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { raiseSignal } from '../../../src/contexts/abuse/raise-signal.ts';
import type { SignalFacts } from '../../../src/contexts/abuse/signals.rules.ts';
import { mailsTo } from '../../harness/mailbox.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
beforeEach(async () => {
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const spending: SignalFacts = {
  kind: 'spend_velocity',
  spentMicros: 31_500_000,
  highestHourMicros: 4_000_000,
  days: 28,
};
const network: SignalFacts = { kind: 'new_network', network: '203.0.113.0/24', extensions: ['1000'] };

const raise = (facts: SignalFacts, actions = {}) => {
  const { base, money } = platform.api;
  const observer = { signalRaised: () => undefined };
  return raiseSignal({ ...money, db: base.db, clock: platform.clock, observer, actions }, account.id, {
    facts,
    running: [],
  });
};
const signalMailsTo = async (address: string) =>
  (await mailsTo(platform, address)).filter(({ template }) => template === 'abuse-signal');

test('ABUSE-06 every ADMIN with a confirmed address gets a mail about a signal, and no one else', async () => {
  const [admin, user] = [await account.addUser('ADMIN'), await account.addUser('USER')];
  const [unconfirmed, stranger] = [await account.addUser('ADMIN'), await createAccount(platform)];
  await platform.database.query('update users set email_verified = email <> $1', [unconfirmed.email]);
  await raise(spending);
  for (const { email } of [account.admin, admin]) {
    const mails = await signalMailsTo(email);
    expect(mails.map(({ data }) => data)).toEqual([
      {
        facts: spending,
        isSuspended: true,
        at: expect.any(String),
        link: 'http://console.disca.test/calls',
      },
    ]);
  }
  for (const { email } of [user, unconfirmed, stranger.admin]) expect(await signalMailsTo(email)).toEqual([]);
});

test('ABUSE-06 the mail explains the signal in the language of its recipient', async () => {
  await raise(spending);
  const sink = await platform.mail();
  const mail = await sink.waitFor(
    ({ to, subject }) => subject.includes('suspensas') && JSON.stringify(to).includes(account.admin.email),
  );
  expect(mail.subject).toBe('Chamadas de saída suspensas');
  expect(mail.text).toContain('A conta gastou R$\u00a031,50 em 15 minutos.');
  expect(mail.text).toContain('fale com o operador do serviço');
});

test('ABUSE-06 a signal that only alerts says that nothing was blocked', async () => {
  await raise(network);
  const sink = await platform.mail();
  const mail = await sink.waitFor(
    ({ to, subject }) => subject.includes('incomum') && JSON.stringify(to).includes(account.admin.email),
  );
  expect(mail.text).toContain('Nada foi bloqueado.');
  expect(mail.text).toContain('203.0.113.0/24');
  expect(mail.text).toContain('http://console.disca.test/extensions');
});

test('ABUSE-06 at most one mail of a kind is sent per day, also by concurrent workers', async () => {
  await Promise.all([raise(spending), raise(spending), raise(spending)]);
  await raise(network);
  await raise(network);
  const kinds = (await signalMailsTo(account.admin.email)).map(
    ({ data }) => 'facts' in data && data.facts.kind,
  );
  expect(kinds).toEqual(['spend_velocity', 'new_network']);
});

test('ABUSE-06 a signal that the operator switched off is not mailed', async () => {
  await raise(spending, { spend_velocity: 'off' });
  expect(await signalMailsTo(account.admin.email)).toEqual([]);
});
