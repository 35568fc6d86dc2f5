import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain } from '../../../src/contexts/abuse/explain.rules.ts';
import { insertSignal } from '../../../src/contexts/abuse/signal.store.ts';
import { indexCalls } from '../../../src/contexts/calls/search/index-calls.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { sweepIdempotencyKeys } from '../../../src/platform/idempotency.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { columnsNaming } from '../../harness/fixtures/erasure.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { recordingPath, upload, wav } from '../../harness/fixtures/recordings.ts';
import { flushRequests } from '../../harness/fixtures/requests.ts';
import { dayAhead } from '../../harness/fixtures/sandbox.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

/** Columns that keep personal data after an erasure, with the reason. Nothing else may. */
const kept = {
  'charges.description':
    'The text of a charge: accounting and tax law requires charges to be kept (LGPD, art. 16, I).',
  'sandbox_payments.description':
    'The same text at the gateway of test accounts, which have no real payments.',
};

/** Columns that keep networks from which a phone has logged in, with the reason. */
const keptNetworks = {
  'abuse_signals.explanation':
    'Numbers of extensions and a network (/24, /48), deleted after 90 days: they do not name a person.',
  'phone_networks.network':
    'Networks of the whole account (/24, /48), linked to no extension and deleted after 90 days.',
};

/** Columns that keep it for minutes: an address that guessed passwords is banned for that long. */
const keptForMinutes = ['edge.bans.key'];

/** Columns that keep it for 24 hours, because the service promises not to execute a request twice until then. */
const keptForADay = ['idempotency_keys.body', 'idempotency_keys.key'];

let platform: WebhookPlatform;
let account: TestAccount;
let receiver: Receiver;

beforeAll(async () => {
  platform = await startWebhookPlatform();
  account = await createAccount(platform);
  receiver = await startReceiver();
  await addIntegration(account.admin, receiver.url);
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

/** Runs the command of operators, which also writes to the operator log. */
async function erase(option: '--email' | '--phone', value: string) {
  const args = ['person', 'erase', account.domain, option, value, '--reason', 'ticket 4711', '--json'];
  const { code, out, err } = await runOperator(platform, args);
  if (code !== 0) throw new Error(`The erasure failed: ${err}`);
  return JSON.parse(out) as Record<string, number>;
}

/** Returns what the operator log has of the commands. */
const logged = (...commands: string[]) =>
  platform.database.query(
    'select command, target, details from operator_log where command = any($1) order by seq',
    [commands],
  );

function succeed<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`The request returned ${answer.status}: ${answer.text}`);
  return answer;
}

/** Ends the deliveries and writes what is written in the background. */
async function settle(): Promise<void> {
  await platform.untilIdle();
  await flushRequests(platform);
  await platform.database.query(`update call_indexing set until = null where pass = 'all'`);
  await indexCalls(platform.api.base, AbortSignal.timeout(120_000));
}

const listen = async (callId: string, address: string): Promise<void> => {
  succeed(await platform.client().from(address).get(recordingPath(platform, callId)));
};

async function addRecordedCall(script: Parameters<typeof runCall>[2]): Promise<string> {
  const { id } = await runCall(platform, account, script);
  await upload(platform, id, wav(1));
  return id;
}

/** Adds a user who uses the console from this address. */
async function addUserAt(address: string, name: string, email: string): Promise<Person> {
  const body = { name, email, password, phone: '5511900000001', role: 'ADMIN' };
  succeed(await account.admin.client.post('/users', body));
  const client = platform.client().from(address);
  const { body: login } = succeed(await client.post('/users/login', { email, password }));
  return { client: client.as(login.id), uuid: login.userId, email, token: login.id };
}

/** Changes everything that an ADMIN can put a name or an address into. */
async function useEverything({ client, email }: Person): Promise<void> {
  succeed(await client.post('/users/accessTokens', { ttl: 600, name: 'Sandra' }));
  succeed(await client.patch('/users', { name: 'Sandra C. Canariense' }));
  const away = { status: 'away', reason: `Mail for ${email}` };
  succeed(await client.request('PUT', '/users/me/availability', { body: away }));
  succeed(await account.admin.client.request('PUT', '/users/me/availability', { body: away }));
  succeed(await client.patch('/accounts', { email }));
  const contact = { additionalEmails: `caixa@empresa.test, ${email.toUpperCase()}` };
  succeed(await client.request('PUT', '/accounts/financial', { body: contact }));
  const charge = {
    paymentMethod: 'PIX',
    dueDate: dayAhead(platform.clock.now(), 3),
    amount: 50,
    description: `Recarga de ${email}`,
  };
  succeed(await client.post('/charges', charge, { headers: { 'idempotency-key': email } }));
  const names = { first_name: 'Sandra', last_name: 'Canariense', email_address: email };
  succeed(await client.post('/extensions', extensionBody(names)));
  expect((await client.patch('/accounts', { [email]: 1 })).status).toBe(422);
}

/** Registers the phone of this e-mail's extension from an address, which is new for the account and gets banned. */
async function registerFrom(address: string, email: string): Promise<void> {
  const { query } = platform.database;
  const [extension] = await query<{ ramal: string; version: string }>(
    `select ramal, 'v' || digest_version as version from extensions where email_address = $1`,
    [email],
  );
  const { ramal = '', version = '' } = extension ?? {};
  const pair = `${address}|${ramal}@${account.domain}`;
  const hex = (text: string): string => Buffer.from(text).toString('hex');
  const [kept] = await query<{ granted: number }>(
    `select edge.keep_login($1, $2, $3, $4, 1, $5, $6, $7, 'tls:192.0.2.1:5061', 'tls', $8, 120, 1, 1, 30) as granted`,
    [
      account.domain,
      ramal,
      version,
      hex(`login@${address}`),
      hex(`sip:Sandra@${address}`),
      hex('Phone of Sandra'),
      `sip:${address}:5061`,
      pair,
    ],
  );
  expect(kept?.granted).toBe(120);
  await query(`select edge.ban(1, 'pair', $1, 600)`, [pair]);
  const at = platform.clock.now();
  await query('select from note_networks($1, $2, $2)', [new Date(at.getTime() - 3_600_000), at]);
  const explanation = explain({ kind: 'new_network', network: '203.0.113.0/24', extensions: [ramal] });
  const signal = { id: uuidv7(at), kind: 'new_network', action: 'alert', explanation, at } as const;
  await inAccount(platform.api.base.db, account.id, (tx) => insertSignal(tx, account.id, signal));
}

test('ACCT-09 OPER-15 erasing a user by e-mail leaves no trace in any table, except as listed', async () => {
  const markers = 'Sandra|Canariense|203\\.0\\.113\\.7[78]';
  const other = await addRecordedCall({ to: '5511955550001' });
  await platform.untilIdle();
  const user = await addUserAt('203.0.113.77', 'Sandra Canariense', 'sandra.canariense@pessoa.test');
  const { client, email } = user;
  // The responses of the endpoint repeat what it received, as those of many CRMs do.
  receiver.answer(() => ({ status: 200, body: '{"owner": "Sandra Canariense"}' }));
  await addIntegration(user, receiver.url, ['channel-hangup'], { webhookConstraint: { agent: email } });
  await useEverything(user);
  await registerFrom('203.0.113.77', email);
  const own = await addRecordedCall({ client, email, metadata: { agent: email, name: 'Sandra' } });
  await listen(other, '203.0.113.77');
  await listen(own, '203.0.113.78');
  // Each is logged before it runs; there is nothing to remove or lift.
  await runOperator(platform, ['account', 'reset-factors', account.domain, email]);
  await runOperator(platform, ['ban', 'lift', '203.0.113.77']);
  await runOperator(platform, ['ban', 'lift', `203.0.113.77|1000@${account.domain}`]);
  await settle();
  expect(await columnsNaming(platform, markers)).toEqual([
    'edge.bans.key',
    'edge.known_phones.key_name',
    'edge.location.callid',
    'edge.location.contact',
    'edge.location.received',
    'edge.location.user_agent',
    'access_tokens.name',
    'accounts.email',
    'audit_entries.actor_email',
    'audit_entries.address',
    'audit_entries.after',
    'audit_entries.before',
    'call_words.word',
    'calls.email',
    'calls.metadata',
    'charges.description',
    'contacts.name',
    'contacts.sort_name',
    'contacts.words',
    'delivery_attempts.response_body',
    'events.data',
    'extension_presence.contact',
    'extension_presence.sip_call_id',
    'extension_presence.user_agent',
    'extensions.email_address',
    'extensions.first_name',
    'extensions.last_name',
    'financial_accounts.additional_emails',
    'idempotency_keys.body',
    'idempotency_keys.key',
    'integrations.constraint_metadata',
    'integrations.webhook_constraint',
    'known_addresses.address',
    'recording_accesses.address',
    'requests.address',
    'requests.invalid_fields',
    'sandbox_payments.description',
    'users.availability_reason',
    'users.email',
    'users.email_by_admin',
    'users.name',
  ]);

  expect(await erase('--email', email)).toMatchObject({ users: 1, accounts: 1, financialAccounts: 1 });
  await settle();
  const keptAtFirst = [...Object.keys(kept), ...keptForADay, ...keptForMinutes];
  expect((await columnsNaming(platform, markers)).toSorted()).toEqual(keptAtFirst.toSorted());
  expect(await columnsNaming(platform, '203\\.0\\.113\\.0')).toEqual(Object.keys(keptNetworks));
  await platform.database.query(`update edge.bans set until = now() - interval '61 minutes'`);
  await platform.database.query('select edge.sweep_logins(1000)');
  platform.advance(24 * 3600 + 1);
  await sweepIdempotencyKeys(
    { db: platform.api.base.db, clock: platform.clock },
    AbortSignal.timeout(60_000),
  );
  expect(await columnsNaming(platform, markers)).toEqual(Object.keys(kept));
  const admin = account.admin.client;
  expect((await admin.get('/accounts')).body.email).toBe(account.admin.email);
  expect((await admin.get('/accounts/financial')).body.additionalEmails).toBe('caixa@empresa.test');
});

test('ACCT-09 OPER-15 NOTE-08 CONTACT-09 PRESENCE-10 erasing a number leaves no trace in any table, in any notation', async () => {
  const [phone, written, national] = ['5511941417777', '+55 (11) 94141-7777', '11941417777'];
  const markers = 'zuleica|pardal|94141.{0,3}7777|77771414';
  const { client } = account.admin;
  receiver.answer(() => ({ status: 200, body: `{"contact": "Zuleica Pardal", "phone": "${written}"}` }));
  await addRecordedCall({ to: phone, metadata: { contact: 'Zuleica Pardal', phone: written } });
  await runCall(platform, account, { to: '5511955550003', metadata: { referredBy: written } });
  const unrelated = await runCall(platform, account, { to: '5511955550004' });
  const note = { disposition: null, note: `Zuleica will call from ${written}`, tags: [`${national}`] };
  succeed(await client.request('PUT', `/calls/${unrelated.id}/note`, { body: note }));
  const mentioned = { number: '5511955550005', name: 'Partner', deal: `Introduced by ${written}` };
  succeed(await client.request('PUT', '/contacts', { body: mentioned }));
  const away = { status: 'away', reason: `Visiting ${written}` };
  succeed(await client.request('PUT', '/users/me/availability', { body: away }));
  const user = { name: 'Outra', email: 'outra@pessoa.test', password, phone: national, role: 'USER' };
  succeed(await client.post('/users', user));
  const headers = { 'x-request-id': `lead-${phone}` };
  succeed(await client.patch('/accounts', { phone: written }, { headers }));
  const contact = { phone: written, mobilePhone: national };
  succeed(await client.request('PUT', '/accounts/financial', { body: contact }));
  succeed(await client.post('/extensions', extensionBody({ bina: national })));
  expect((await client.patch('/accounts', { [phone]: 1 })).status).toBe(422);
  await runOperator(platform, ['caller-id', 'assign', account.domain, written]);
  await runOperator(platform, ['caller-id', 'remove', account.domain, phone]);
  await runOperator(platform, ['trunk', 'test', 'unknown', phone]);
  await settle();
  expect(await columnsNaming(platform, markers)).toEqual([
    'accounts.phone',
    'audit_entries.after',
    'audit_entries.before',
    'audit_entries.request_id',
    'call_holds.destination',
    'call_notes.note',
    'call_notes.tags',
    'call_words.word',
    'calls.metadata',
    'calls.to',
    'calls.to_reversed',
    'contacts.deal',
    'contacts.name',
    'contacts.number',
    'contacts.sort_name',
    'contacts.words',
    'delivery_attempts.response_body',
    'events.data',
    'extensions.bina',
    'financial_accounts.mobile_phone',
    'financial_accounts.phone',
    'requests.invalid_fields',
    'requests.request_id',
    'users.availability_reason',
    'users.phone',
  ]);

  expect(await erase('--phone', written)).toMatchObject({
    users: 1,
    accounts: 1,
    financialAccounts: 1,
    calls: 3,
    contacts: 2,
  });
  await settle();
  expect(await columnsNaming(platform, markers)).toEqual([]);
  expect((await client.get('/accounts')).body.phone).toBe('');
  expect((await client.get('/accounts/financial')).body).toMatchObject({ phone: '', mobilePhone: null });
});

test('OPER-15 the operator log has such commands without the person, and refuses a reason that names them', async () => {
  const [email, phone] = ['zilda@pessoa.test', '5511941418888'];
  const before = await platform.database.query('select seq from operator_log');
  for (const [option, value, reason] of [
    ['--email', email, `asked by ${email.toUpperCase()} in June`],
    ['--phone', phone, 'Zilda, (11) 94141-8888'],
  ] as const) {
    const args = ['person', 'erase', account.domain, option, value, '--reason', reason];
    expect((await runOperator(platform, args)).err).toContain('The reason names the person');
  }
  expect(await platform.database.query('select seq from operator_log')).toEqual(before);
  const target = account.domain;
  expect(await logged('person erase', 'account reset-factors', 'caller-id assign')).toEqual([
    { command: 'account reset-factors', target, details: { arguments: ['withheld'] } },
    { command: 'person erase', target, details: { email: 'withheld' } },
    { command: 'caller-id assign', target, details: { arguments: ['withheld'] } },
    { command: 'person erase', target, details: { phone: 'withheld' } },
  ]);
  expect((await logged('ban lift')).map((entry) => entry.target)).toEqual(['withheld', `1000@${target}`]);
});
