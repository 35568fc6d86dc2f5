import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Outcome, runOperator } from '../../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const disca = (...args: string[]): Promise<Outcome> => runOperator(platform, args);

async function json(...args: string[]) {
  const { out, err } = await disca(...args, '--json');
  expect(err).toBe('');
  return JSON.parse(out);
}

test('the CLI adds, lists, enables, disables and removes trunks', async () => {
  const add = ['trunk', 'add', 'carrier-one', '--mode', 'live', '--address', 'sip.carrier.example:5060'];
  const more = [
    '--caller-id',
    '551130000000',
    '--prefixes',
    '55,5511',
    '--priority',
    '5',
    '--caller-id-rule',
    'default',
  ];
  expect((await disca(...add, ...more)).out).toContain('carrier-one is added');
  expect(await json('trunk', 'list')).toMatchObject([
    { name: 'carrier-one', prefixes: ['55', '5511'], priority: 5, callerIdRule: 'default', enabled: true },
  ]);
  expect((await disca('trunk', 'disable', 'carrier-one')).out).toBe('carrier-one is disabled.\n');
  expect((await disca('trunk', 'list')).out).toMatch(/^carrier-one +disabled sip\.carrier\.example:5060/);
  expect(await disca('trunk', 'remove', 'carrier-one')).toMatchObject({ code: 0 });
  expect((await disca(...add, '--caller-id', 'x')).err).toBe(
    'caller-id must be a number of 3 to 15 digits.\n',
  );
});

test('CALL-59 CALL-61 the CLI sets how a trunk is protected, and shows user names without passwords', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'disca-cli-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'password');
  writeFileSync(file, 'a-password-of-a-carrier\n');
  const add = ['trunk', 'add', 'secure', '--mode', 'live', '--address', 'sip.carrier.example:5061'];
  const options = ['--caller-id', '551130000000', '--transport', 'tls', '--srtp', 'on'];
  const added = await json(...add, ...options, '--user', 'disca', '--password-file', file);
  const protection = { transport: 'tls', srtp: true, outboundLogin: { user: 'disca' }, inboundLogin: null };
  expect(added).toMatchObject(protection);
  const set = ['trunk', 'set', 'secure'];
  const inbound = await json(...set, '--inbound-user', 'carrier', '--inbound-password-file', file);
  expect(inbound).toMatchObject({ ...protection, inboundLogin: { user: 'carrier' } });
  expect((await disca('trunk', 'list')).out).toMatch(/ tls,srtp,login,inbound-login +100 all numbers\n$/);
  for (const text of [added, inbound, await json('trunk', 'list')])
    expect(JSON.stringify(text)).not.toMatch(/a-password|sealed/i);

  const refused: [string[], RegExp][] = [
    [['--user', 'disca'], /--user and --password-file must be given together/],
    [['--inbound-password-file', file], /--inbound-user and --inbound-password-file must be/],
    [['--transport', 'udp'], /srtp must be off unless the transport is tls/],
    [['--user', 'a b', '--password-file', file], /^user must be 1 to 64/],
    [['--transport', 'sctp'], /Allowed choices are udp, tcp, tls/],
  ];
  for (const [args, message] of refused) expect((await disca(...set, ...args)).err).toMatch(message);
  writeFileSync(file, 'too-short');
  const short = await disca(...set, '--inbound-user', 'carrier', '--inbound-password-file', file);
  expect(short.err).toBe('inbound-password must be 16 to 128 ASCII characters without spaces.\n');

  const plain = ['--address', 'sip.carrier.example:5060', '--transport', 'udp', '--srtp', 'off'];
  expect((await disca(...set, ...plain, '--no-user', '--no-inbound-user')).out).toBe(
    'secure is changed (sip.carrier.example:5060, udp); calls use it within seconds.\n',
  );
  expect(await json('trunk', 'list')).toMatchObject([{ outboundLogin: null, inboundLogin: null }]);
  expect((await disca('trunk', 'set', 'nowhere', '--srtp', 'off')).err).toBe('No trunk named nowhere.\n');
  await disca('trunk', 'remove', 'secure');
});

test('the CLI adds a media node with a secret, lists, drains and removes it', async () => {
  const added = await json('node', 'add', 'm1', '--address', '10.0.0.5:5060');
  expect(added.secret).toMatch(/^[\w-]{43}$/);
  await disca('node', 'drain', 'm1');
  expect((await disca('node', 'list')).out).toMatch(
    /^m1 +10\.0\.0\.5:5060 +drained +away +0 calls +never seen\n$/,
  );
  expect(await disca('node', 'remove', 'm1')).toMatchObject({ code: 0 });
});

test('CALL-39 CALL-54 the operator shows and changes every cap, and the audit log records it', async () => {
  expect(await json('caps', 'show', account.domain)).toEqual({
    callsPerSecond: 5,
    concurrentCalls: null,
    inboundCallsPerNumber: 10,
    dailySpend: 500,
    pricePerMinute: 1,
    countries: ['BR'],
  });
  const set = ['--calls-per-second', '20', '--concurrent', '50', '--daily-spend', '1000.5'];
  const more = ['--price-per-minute', '0.25', '--countries', 'pt,BR', '--inbound-per-number', '30'];
  const changed = { callsPerSecond: 20, concurrentCalls: 50, dailySpend: 1000.5, pricePerMinute: 0.25 };
  expect(await json('caps', 'set', account.domain, ...set, ...more)).toEqual({
    ...changed,
    inboundCallsPerNumber: 30,
    countries: ['BR', 'PT'],
  });
  await disca('caps', 'set', account.domain, '--concurrent', 'default');
  const shown = (await disca('caps', 'show', account.domain)).out;
  expect(shown).toMatch(/calls per second +20\n/);
  expect(shown).toMatch(/concurrent calls +10, or one for each extension, up to the budget \(default\)\n/);
  expect((await disca('caps', 'set', account.domain, '--countries', 'XX')).err).toContain(
    'Unknown country XX',
  );
  const log = await account.admin.client.list('/audit', { where: { action: 'account.caps' } }, { page: '1' });
  expect(log.body.data).toMatchObject([
    { before: { concurrentCalls: 50 }, after: { concurrentCalls: null } },
    { after: { callsPerSecond: 20, countries: ['BR', 'PT'] } },
  ]);
});

test('CALL-22 the operator assigns, lists and unassigns a caller ID', async () => {
  const assigned = await json('caller-id', 'assign', account.domain, '+55 11 98765-4321');
  expect(assigned).toMatchObject({ number: '5511987654321', status: 'owned', source: 'operator' });
  expect((await disca('caller-id', 'list', account.domain)).out).toBe('5511987654321    owned, operator\n');
  const listed = await account.admin.client.list('/callerIds');
  expect(listed.body).toMatchObject([{ number: '5511987654321', source: 'operator' }]);
  await disca('caller-id', 'remove', account.domain, '5511987654321');
  expect(await json('caller-id', 'list', account.domain)).toEqual([]);
  const log = await account.admin.client.list('/audit', { order: 'at ASC' }, { page: '1' });
  const actions = log.body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['callerId.assign', 'callerId.remove']));
});
