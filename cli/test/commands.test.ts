import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { type Receiver, startReceiver } from '../../sdk/test/harness/receiver.ts';
import { destination, type Service, startService } from '../../sdk/test/harness/service.ts';
import { number, tellCall } from '../../server/test/events/scene.ts';
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

test('a log-in keeps a named token in a file that only its owner reads, and a log-out revokes it', async () => {
  const other = openTerminal({ DISCA_URL: service.url });
  const login = ['login', '--email', service.account.admin.email, '--password-stdin', '--profile', 'work'];
  expect((await other.start(login, password).ended).code).toBe(0);
  const file = join(other.home, '.config/disca/profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const tokens = await other.json('tokens', '--profile', 'work');
  expect(tokens.filter(({ name }: { name: string }) => name?.startsWith('disca on '))).toHaveLength(2);
  expect((await other.disca('whoami')).err).toContain('Nobody is logged in as default.');
  expect(await other.json('logout', '--profile', 'work')).toEqual({ profile: 'work', isRevoked: true });
  expect((await terminal.json('tokens')).length).toBe(tokens.length - 1);
  expect((await other.disca('logout', '--profile', 'work')).code).toBe(1);
  other.leave();
});

test('it tells who is logged in, with a token of the environment as well', async () => {
  const whoami = await terminal.disca('whoami');
  expect(whoami.out).toContain(service.account.domain);
  expect(whoami.out).toContain('R$ 100.00 available');
  const robot = openTerminal({ DISCA_URL: service.url, DISCA_TOKEN: service.account.admin.token });
  expect((await robot.json('whoami')).user.email).toBe(service.account.admin.email);
  robot.leave();
});

test('the token of a log-in goes to the service that gave it, and to no other address', async () => {
  receiver.received.length = 0;
  for (const elsewhere of [receiver.url, 'https://staging.example.com']) {
    const { code, err } = await terminal.disca('whoami', '--base-url', elsewhere);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('disca login --profile') });
    expect(err).toContain(`is for ${service.url} and not for ${elsewhere}`);
  }
  expect(receiver.received).toEqual([]);
  expect((await terminal.disca('whoami', '--base-url', `${service.url}/api/v1/`)).code).toBe(0);
});

test('whoever sends a token unencrypted over a network is warned', async () => {
  const url = service.url.replace('127.0.0.1', '0.0.0.0');
  const robot = openTerminal({ DISCA_URL: url, DISCA_TOKEN: service.account.admin.token });
  const warning = `${url} is not encrypted: whoever is on the way can read the token.`;
  expect(await robot.disca('whoami')).toMatchObject({ code: 0, err: expect.stringContaining(warning) });
  expect((await terminal.disca('whoami')).err).toBe('');
  robot.leave();
});

test('what fails says what, why and what to do; for programs as JSON', async () => {
  const nobody = openTerminal();
  expect(await nobody.disca('calls')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Log in with: disca login --base-url'),
  });
  expect((await nobody.disca('login')).err).toContain('It was not said where the service is.');
  const wrong = await nobody.start(
    ['login', '--base-url', service.url, '--email', service.account.admin.email, '--password-stdin'],
    'wrong',
  ).ended;
  expect(wrong.err).toMatch(/Check the e-mail address and the password.*\n\(LOGIN_FAILED, request .+\)\n$/);
  expect((await nobody.disca('login', '--base-url', service.url)).err).toContain('There is nobody to ask.');
  nobody.leave();
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
  expect(unknown.err).toContain('Check what you named: it is not in this account.');
  const malformed = await terminal.disca('call', 'x', '--from', '1');
  expect(malformed.err).toContain('extension: `extension` is invalid.\n(VALIDATION_ERROR, request ');
  expect((await terminal.disca('calls', '--status', 'sleeping')).err).toContain('Allowed choices are queued');
  expect((await terminal.disca('listen', '--types', 'channel-dance')).err).toContain(
    'There is no channel-dance.',
  );
});

test('a call is told until its end, with its price', async () => {
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

test('Ctrl-C hangs the call up', async () => {
  const calling = terminal.start(['call', destination, '--from', service.extension]);
  await calling.says('is placed');
  calling.process.kill('SIGINT');
  await calling.says('hanging up');
  const { code, out } = await calling.ended;
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/cause +ORIGINATOR_CANCEL/) });
});

test('a call may be left to itself, and hung up later', async () => {
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

test('calls are listed by what is asked for, as a table or as JSON', async () => {
  const all = await terminal.json('calls', '--since', '1h', '--to', '%7654321', '--from', service.extension);
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(await terminal.json('calls', '--limit', '1')).toHaveLength(1);
  expect(await terminal.json('calls', '--until', '2020-01-01')).toEqual([]);
  const shown = await terminal.disca('calls', '--limit', '2');
  expect(shown.out.split('\n')[0]).toMatch(/^began +from +to +status +talk +cause +price +id$/);
  expect((await terminal.disca('calls', '--to', '5500000')).out).toBe('There are no such calls.\n');
});

test('calls are watched as they happen', async () => {
  const watching = terminal.start(['calls', '--watch', '--json']);
  const people = terminal.start(['calls', '--watch', '--to', '%999']);
  await until(() => people.err().includes('watching'), 'it watches');
  // The one for programs says nothing of itself, so it is told of calls until it heard of one.
  await until(async () => {
    await tellCall(service.platform, service.account);
    await number(service.platform);
    return watching.out().includes('call-priced');
  }, 'a call is told');
  for (const { process } of [watching, people]) process.kill('SIGINT');
  const events = (await watching.ended).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ type }) => type)).toContain('channel-hangup');
  expect(await people.ended).toMatchObject({ code: 0, out: '' });
});

test('events are forwarded to a local program, signed with a secret that is told', async () => {
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
  await tellCall(service.platform, service.account);
  await number(service.platform);
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

test('a sample is sent from here, signed, with the shape that the service gives it', async () => {
  const { id } = await service.disca.integrations.save({
    gateway: 'cli',
    webhook: true,
    metadata: { webhookUrl: receiver.url, webhookTypes: eventTypes },
  });
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  for (const type of eventTypes) {
    receiver.received.length = 0;
    await service.disca.integrations.test(id, type);
    const stranger = openTerminal();
    expect((await stranger.disca('trigger', type, '--forward', receiver.url, '--secret', secret)).code).toBe(
      0,
    );
    stranger.leave();
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
  const nobody = await terminal.disca('trigger', 'balance-low', '--forward', 'http://127.0.0.1:1/');
  expect(nobody.code).toBe(1);
});

test('a secret is given by the environment or the standard input, and one that was given is not told', async () => {
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
    err: expect.stringContaining('A secret is whsec_ and base64.'),
  });
  knowing.leave();
  const made = JSON.parse((await terminal.disca(...trigger)).out);
  expect(made.secret).toMatch(/^whsec_/);
});

test('extensions are listed, made with a password of their own, and removed', async () => {
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

test('tokens are made, listed and revoked', async () => {
  const { out } = await terminal.disca('tokens', 'create', '--name', 'CRM', '--days', '30');
  const token = out.trim();
  expect(await service.client({ token }).tokens.isValid()).toBe(true);
  expect((await terminal.disca('tokens')).out).toContain('CRM');
  expect(await terminal.disca('tokens', 'revoke', token.slice(0, 8))).toMatchObject({ code: 0, err: '' });
  expect(await service.client({ token }).tokens.isValid()).toBe(false);
});

test('a token that begins with a hyphen is no option', async () => {
  for (const prefix of ['-abcdefg', '-hbcdefg'])
    expect((await terminal.disca('tokens', 'revoke', prefix)).err).toContain('(NOT_FOUND, request ');
});

test('a charge that is waited for and cancelled is not called paid', async () => {
  const waiting = terminal.start(['topup', '20', '--wait']);
  await waiting.says('waiting until it is paid');
  const [, id = ''] = /charge +(\d+)/.exec(waiting.err()) ?? [];
  await service.disca.charges.cancel(id);
  const { code, out } = await waiting.ended;
  expect({ code, out }).toEqual({ code: 1, out: `Not paid: charge ${id} is canceled.\n` });
});

test('credit is bought: a charge is made and told how to be paid, and in test mode paid at once', async () => {
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
