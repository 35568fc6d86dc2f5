import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { type Receiver, startReceiver } from '../../sdk/test/harness/receiver.ts';
import { destination, type Service, startService } from '../../sdk/test/harness/service.ts';
import { insertCallWithEvents, numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { password } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { eventTypes } from '../event-types.ts';
import { openTerminal, type Terminal } from './harness/terminal.ts';

let service: Service;
let terminal: Terminal;
let receiver: Receiver;
let status = 204;
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, { hasWorker: true });
  receiver = await startReceiver(() => status);
  terminal = openTerminal();
  const { admin } = service.account;
  const login = ['login', '--base-url', service.url, '--email', admin.email, '--password-stdin'];
  expect(await terminal.start(login, `${password}\n`).ended).toMatchObject({
    code: 0,
    out: `Logged in as ${admin.email} of ${service.account.domain}, which is in test mode. The token is in ${join(terminal.home, '.config/disca/profiles.json')}.\n`,
  });
});
afterAll(async () => {
  terminal.leave();
  await receiver.close();
  await service.close();
});

test('login stores a named token in a private file, and logout revokes it', async () => {
  const other = openTerminal({ DISCA_URL: service.url });
  const login = ['login', '--email', service.account.admin.email, '--password-stdin', '--profile', 'work'];
  expect((await other.start(login, password).ended).code).toBe(0);
  const file = join(other.home, '.config/disca/profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const tokens = await other.json('tokens', '--profile', 'work');
  expect(tokens.filter(({ name }: { name: string }) => name?.startsWith('disca on '))).toHaveLength(2);
  expect((await other.disca('whoami')).err).toContain('Not logged in as default.');
  expect(await other.json('logout', '--profile', 'work')).toEqual({ profile: 'work', isRevoked: true });
  expect((await terminal.json('tokens')).length).toBe(tokens.length - 1);
  expect((await other.disca('logout', '--profile', 'work')).code).toBe(1);
  other.leave();
});

test('whoami shows the logged-in user of the stored login or of DISCA_TOKEN', async () => {
  const whoami = await terminal.disca('whoami');
  expect(whoami.out).toContain(service.account.domain);
  expect(whoami.out).toContain('R$ 100.00 available');
  const robot = openTerminal({ DISCA_URL: service.url, DISCA_TOKEN: service.account.admin.token });
  expect((await robot.json('whoami')).user.email).toBe(service.account.admin.email);
  robot.leave();
});

test('the token of a login is only sent to the service that issued it', async () => {
  receiver.received.length = 0;
  for (const elsewhere of [receiver.url, 'https://staging.example.com']) {
    const { code, err } = await terminal.disca('whoami', '--base-url', elsewhere);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('disca login --profile') });
    expect(err).toContain(`is for ${service.url}, not for ${elsewhere}`);
  }
  expect(receiver.received).toEqual([]);
  expect((await terminal.disca('whoami', '--base-url', `${service.url}/api/v1/`)).code).toBe(0);
});

test('warns when a token is sent unencrypted over a network', async () => {
  const url = service.url.replace('127.0.0.1', '0.0.0.0');
  const robot = openTerminal({ DISCA_URL: url, DISCA_TOKEN: service.account.admin.token });
  const warning = `${url} is not encrypted: others on the network can read the token.`;
  expect(await robot.disca('whoami')).toMatchObject({ code: 0, err: expect.stringContaining(warning) });
  expect((await terminal.disca('whoami')).err).toBe('');
  robot.leave();
});

test('errors include the cause and advice; with --json as JSON', async () => {
  const loggedOut = openTerminal();
  expect(await loggedOut.disca('calls')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Log in with: disca login --base-url'),
  });
  expect((await loggedOut.disca('login')).err).toContain('No service URL given.');
  const wrong = await loggedOut.start(
    ['login', '--base-url', service.url, '--email', service.account.admin.email, '--password-stdin'],
    'wrong',
  ).ended;
  expect(wrong.err).toMatch(/Check the e-mail address and the password.*\n\(LOGIN_FAILED, request .+\)\n$/);
  expect((await loggedOut.disca('login', '--base-url', service.url)).err).toContain(
    'There is no terminal to prompt on.',
  );
  loggedOut.leave();
  const stale = openTerminal({ DISCA_URL: service.url, DISCA_TOKEN: 'a'.repeat(64) });
  const refused = await stale.disca('whoami', '--json');
  expect(JSON.parse(refused.err).error).toMatchObject({
    code: 'INVALID_TOKEN',
    advice: 'It has expired or was revoked. Log in again: disca login',
    requestId: expect.any(String),
  });
  expect(refused).toMatchObject({ code: 1, out: '' });
  stale.leave();
  const unknown = await terminal.disca('call', destination, '--from', '99999999');
  expect(unknown.err).toContain('Check the id: it is not in this account.');
  const malformed = await terminal.disca('call', 'x', '--from', '1');
  expect(malformed.err).toContain(
    'extension: `extension` must be 2 to 8 digits.\n' +
      'called: `called` must be a valid number: country code, area code and number, or 0, area code and number.\n(VALIDATION_ERROR, request ',
  );
  expect((await terminal.disca('calls', '--status', 'sleeping')).err).toContain('Allowed choices are queued');
  expect((await terminal.disca('listen', '--types', 'channel-dance')).err).toContain(
    'Unknown event type channel-dance.',
  );
});

test('call follows a call until its end and shows its price', async () => {
  const calling = terminal.start([
    'call',
    destination,
    '--from',
    service.extension,
    '--metadata',
    'deal=D-7',
  ]);
  await calling.says('is placed');
  const [, id = ''] = /call ([\w-]+) is placed/.exec(calling.err()) ?? [];
  await service.disca.calls.hangUp(id);
  const { code, out, err } = await calling.ended;
  expect(code).toBe(0);
  expect(err).toContain('… ended');
  expect(out).toMatch(/cause +ORIGINATOR_CANCEL/);
  expect(out).toMatch(/price +R\$ 0.00/);
  expect(await terminal.json('calls', '--metadata', 'deal=D-7', '--status', 'ended')).toMatchObject([{ id }]);
});

test('Ctrl-C hangs up the call', async () => {
  const calling = terminal.start(['call', destination, '--from', service.extension]);
  await calling.says('is placed');
  calling.process.kill('SIGINT');
  await calling.says('hanging up');
  const { code, out } = await calling.ended;
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/cause +ORIGINATOR_CANCEL/) });
});

test('a call can continue after the command and be hung up later', async () => {
  const placed = await terminal.json(
    'call',
    destination,
    '--from',
    service.extension,
    '--no-follow',
    '--key',
    'k',
  );
  const again = await terminal.json(
    'call',
    destination,
    '--from',
    service.extension,
    '--no-follow',
    '--key',
    'k',
  );
  expect(again).toEqual(placed);
  expect(await terminal.json('hangup', placed.id)).toMatchObject({ id: placed.id });
});

test('calls lists matching calls, as a table or as JSON', async () => {
  const all = await terminal.json('calls', '--since', '1h', '--to', '%7654321', '--from', service.extension);
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(await terminal.json('calls', '--limit', '1')).toHaveLength(1);
  expect(await terminal.json('calls', '--until', '2020-01-01')).toEqual([]);
  expect(await terminal.json('calls', '--search', 'unknown 7654321')).toEqual([]);
  const shown = await terminal.disca('calls', '--limit', '2');
  expect(shown.out.split('\n')[0]).toMatch(/^began +from +to +status +talk +cause +price +id$/);
  expect(shown.out.split('\n')[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}/);
  expect((await terminal.disca('calls', '--to', '5500000')).out).toBe('No matching calls.\n');
});

test('note changes what is given about a call', async () => {
  const [{ id }] = await terminal.json('calls', '--limit', '1');
  await terminal.json('note', id, 'Asked for a quote', '--tag', 'Quote', 'vip');
  const kept = { disposition: null, note: 'Asked for a quote', tags: ['quote', 'vip'] };
  expect(await terminal.json('note', id)).toEqual(kept);
  const unknown = await terminal.disca('note', id, '--disposition', 'Sold');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('GET /dispositions')]);
});

test('calls can be watched live', async () => {
  const watching = terminal.start(['calls', '--watch', '--json']);
  const people = terminal.start(['calls', '--watch', '--to', '%999']);
  await until(() => people.err().includes('watching'), 'it watches');
  // The JSON output does not show when it is ready, so calls are placed until one is printed.
  await until(async () => {
    await insertCallWithEvents(service.platform, service.account);
    await numberEvents(service.platform);
    return watching.out().includes('call-priced');
  }, 'a call is printed');
  for (const { process } of [watching, people]) process.kill('SIGINT');
  const events = (await watching.ended).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ type }) => type)).toContain('channel-hangup');
  expect(await people.ended).toMatchObject({ code: 0, out: '' });
});

test('listen forwards events to a local program, signed with a printed secret', async () => {
  receiver.received.length = 0;
  const types = 'channel-hangup,call-priced';
  const listening = terminal.start([
    'listen',
    '--forward',
    receiver.url.replace('http://', ''),
    '--types',
    types,
  ]);
  await listening.says('listening');
  await insertCallWithEvents(service.platform, service.account);
  await numberEvents(service.platform);
  await until(() => receiver.received.length === 2, 'both events were forwarded');
  await listening.says(/call-priced.*204/);
  listening.process.kill('SIGINT');
  const { code, out } = await listening.ended;
  expect(code).toBe(0);
  const [, secret = ''] = /signed with (whsec_\S+)/.exec(out) ?? [];
  for (const { headers, body } of receiver.received) {
    const { id, payload } = await verifyWebhook(body, headers, secret);
    expect(types).toContain(payload.eventType);
    expect(id).toMatch(/^msg_/);
  }
});

test('trigger sends a signed sample from this machine, in the format of the service', async () => {
  const { id } = await service.disca.integrations.save({
    gateway: 'cli',
    webhook: true,
    metadata: { webhookUrl: receiver.url, webhookTypes: eventTypes },
  });
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  for (const type of eventTypes) {
    receiver.received.length = 0;
    await service.disca.integrations.test(id, type);
    const loggedOut = openTerminal();
    expect((await loggedOut.disca('trigger', type, '--forward', receiver.url, '--secret', secret)).code).toBe(
      0,
    );
    loggedOut.leave();
    const [byService, byUs] = receiver.received;
    if (!byService || !byUs) throw new Error('Both were to be received.');
    await verifyWebhook(byUs.body, byUs.headers, secret);
    const names = (body: string) =>
      Object.keys(JSON.parse(body))
        .filter((name) => name !== 'test')
        .sort();
    expect([type, names(byUs.body)]).toEqual([type, names(byService.body)]);
  }
  expect((await terminal.json('trigger', 'balance-low', '--integration', String(id))).outcome).toBe(
    'delivered',
  );
  status = 500;
  const failed = await terminal.disca('trigger', 'balance-low', '--forward', receiver.url);
  expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(/ 500 .*\nsigned with whsec_/) });
  const byService = await terminal.disca('trigger', 'balance-low', '--integration', String(id));
  expect(byService).toMatchObject({ code: 1, out: expect.stringMatching(/outcome +bad_status/) });
  status = 204;
  expect((await terminal.disca('trigger', 'balance-low')).err).toContain('Add --forward');
  const unreachable = await terminal.disca('trigger', 'balance-low', '--forward', 'http://127.0.0.1:1/');
  expect(unreachable.code).toBe(1);
});

test('secrets are read from the environment or stdin, and given secrets are not printed', async () => {
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const trigger = ['trigger', 'balance-low', '--json', '--forward', receiver.url];
  const knowing = openTerminal({ DISCA_WEBHOOK_SECRET: secret });
  const outcomes = [
    await knowing.start(trigger).ended,
    await terminal.start([...trigger, '--secret-stdin'], `${secret}\n`).ended,
    await terminal.start([...trigger, '--secret', secret]).ended,
  ];
  for (const [index, outcome] of outcomes.entries()) {
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).not.toContain(secret);
    const { body, headers } = receiver.received.at(index - outcomes.length) ?? { body: '', headers: {} };
    await verifyWebhook(body, headers, secret);
  }
  const listening = knowing.start(['listen', '--forward', receiver.url, '--secret-stdin'], 'whsec_');
  expect(await listening.ended).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('A secret is whsec_ followed by base64.'),
  });
  knowing.leave();
  const made = JSON.parse((await terminal.disca(...trigger)).out);
  expect(made.secret).toMatch(/^whsec_/);
});

test('extensions are listed, created with a generated password, and removed', async () => {
  const made = await terminal.json(
    ...['extensions', 'add', '--first-name', 'Bia', '--last-name', 'Lima', '--email', 'bia@example.com'],
  );
  expect(made.senha).toMatch(/^[\w-]{20}$/);
  const listed = await terminal.disca('extensions');
  expect(listed.out).toMatch(new RegExp(`${service.extension} .* registered`));
  expect(listed.out).toContain('Bia Lima');
  expect(await terminal.json('extensions', 'remove', String(made.id))).toMatchObject({ isRemoved: true });
  expect((await terminal.disca('extensions')).out).not.toContain('Bia Lima');
});

test('tokens are created, listed and revoked', async () => {
  const { out } = await terminal.disca('tokens', 'create', '--name', 'CRM', '--days', '30');
  const token = out.trim();
  expect(await service.client({ token }).tokens.isValid()).toBe(true);
  expect((await terminal.disca('tokens')).out).toMatch(/CRM +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC /);
  expect(await terminal.disca('tokens', 'revoke', token.slice(0, 8))).toMatchObject({ code: 0, err: '' });
  expect(await service.client({ token }).tokens.isValid()).toBe(false);
});

test('tokens are limited to scopes and addresses, and service tokens belong to the account', async () => {
  const limits = ['--scope', 'calls:read', 'recordings', '--from', '127.0.0.1', '2001:db8::/32'];
  const { out } = await terminal.disca('tokens', 'create', '--name', 'Reports', ...limits);
  const token = out.trim();
  expect((await terminal.disca('tokens')).out).toMatch(
    /Reports .* never .* calls:read, recordings +127\.0\.0\.1, 2001:db8::\/32/,
  );
  const limited = openTerminal({ DISCA_URL: service.url });
  const stored = await limited.start(['login', '--token-stdin'], token).ended;
  expect(stored.out).toContain('Stored a token with scopes');
  expect((await limited.disca('calls')).code).toBe(0);
  expect((await limited.disca('tokens')).err).toContain('(TOKEN_SCOPE_MISSING, request ');
  limited.leave();
  const wrong = await terminal.disca('tokens', 'create', '--name', 'CRM', '--scope', 'everything');
  expect(wrong.err).toContain('calls:place');
  const make = ['tokens', 'create', '--name', 'Invoices', '--service'];
  expect((await terminal.disca(...make)).err).toContain('VALIDATION_ERROR');
  const robot = (await terminal.disca(...make, '--scope', 'money')).out.trim();
  expect((await service.client({ token: robot }).account.balance()).available).toBeGreaterThan(0);
  expect((await terminal.disca('tokens', '--service')).out).toMatch(/Invoices .* money +everywhere/);
  const revoked = await terminal.disca('tokens', 'revoke', '--service', robot.slice(0, 8));
  expect(revoked).toMatchObject({ code: 0, err: '' });
  expect(await service.client({ token: robot }).tokens.isValid()).toBe(false);
});

test('PRESENCE-01 PRESENCE-07 availability is set, and people are listed with it', async () => {
  const set = await terminal.json('availability', 'away', '--reason', 'Lunch');
  expect(set).toMatchObject({ status: 'away', reason: 'Lunch' });
  expect((await terminal.disca('availability')).out).toMatch(
    /^name +state +.*\n(.*\n)*.* away +Lunch +\d{4}-/,
  );
  const refused = await terminal.disca('availability', 'available', '--reason', 'Lunch');
  expect(refused.err).toContain('needs `status` `away`');
  expect(await terminal.json('availability', 'available')).toMatchObject({
    status: 'available',
    reason: null,
  });
});

test('a transfer needs either a destination or its end, and a running call', async () => {
  const call = '0192f0c5-7c5e-7a51-8c1d-3f6c6d3e8c52';
  for (const given of [[], ['1001', '--complete'], ['--complete', '--cancel']])
    expect((await terminal.disca('transfer', call, ...given)).err).toContain('Give either a destination');
  for (const given of [
    ['transfer', call, '5511987654321', '--blind'],
    ['transfer', call, '--cancel'],
    ['conference', call, '5511987654321'],
  ])
    expect((await terminal.disca(...given)).err).toContain('NOT_FOUND');
});

test('permissions of a user are shown and changed', async () => {
  const { email } = await service.account.addUser();
  expect((await terminal.disca('permissions', 'show', email)).out).toMatch(/calls +own\n(.*\n)*money +no/);
  const changes = ['--calls', 'all', '--recordings', 'none', '--money', 'yes'];
  expect(await terminal.json('permissions', 'set', email, ...changes)).toEqual({
    calls: 'all',
    recordings: 'none',
    money: true,
    webhooks: true,
    supervision: false,
    isDecided: true,
  });
  expect((await terminal.disca('permissions', 'set', email, '--money', 'maybe')).err).toContain('yes or no');
  expect((await terminal.disca('permissions', 'show', 'none@example.com')).err).toContain('No user has');
});

test('a token that starts with a hyphen is not parsed as an option', async () => {
  for (const prefix of ['-abcdefg', '-hbcdefg'])
    expect((await terminal.disca('tokens', 'revoke', prefix)).err).toContain('(NOT_FOUND, request ');
});

test('a charge cancelled while waiting is not reported as paid', async () => {
  const waiting = terminal.start(['topup', '20', '--wait']);
  await waiting.says('waiting for the payment');
  const [, id = ''] = /charge +(\d+)/.exec(waiting.err()) ?? [];
  await service.disca.charges.cancel(id);
  const { code, out } = await waiting.ended;
  expect({ code, out }).toEqual({ code: 1, out: `Not paid: charge ${id} is canceled.\n` });
});

test('the statement of a month shows its totals and the calls by extension', async () => {
  const shown = await terminal.json('statement');
  expect(shown.totals).toEqual(
    await service.disca.request('get', '/accounts/statement/totals', {
      query: { since: shown.byExtension.since, until: shown.byExtension.until },
    }),
  );
  expect(shown.byExtension).toMatchObject({
    month: expect.stringMatching(/^\d{4}-\d\d$/),
    total: { amount: -shown.totals.calls },
  });
  const { out } = await terminal.disca('statement', '--month', '2026-01');
  expect(out).toMatch(/^month +2026-01\nopening balance +R\$ 0\.00\n/);
  expect(out).toContain('No calls.');
  expect((await terminal.disca('statement', '--month', 'May')).err).toContain('month');
});

test('topup creates a charge and shows how to pay it; in test mode it is paid immediately', async () => {
  const charge = await terminal.json('topup', '30', '--key', 'once');
  expect(charge).toMatchObject({
    amount: 30,
    status: 'PENDING',
    pixCode: expect.stringContaining('br.gov.bcb.pix'),
  });
  const open = await terminal.disca('topup', '40');
  expect(open).toMatchObject({
    code: 1,
    err: expect.stringContaining('Pay or cancel the open charge first.'),
  });
  await service.disca.charges.cancel(charge.id);
  const before = (await service.disca.account.balance()).available;
  const { code, out } = await terminal.disca('topup', '49.90', '--pay');
  expect({ code, out }).toMatchObject({
    code: 0,
    out: `Paid. The account has R$ ${(before + 49.9).toFixed(2)} available.\n`,
  });
});
