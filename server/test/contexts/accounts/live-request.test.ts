import { beforeAll, expect, test } from 'vitest';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const ask = () => account.admin.client.post('/accounts/live-request');
const listed = async (...options: string[]): Promise<string[]> => {
  const { out } = await runOperator(platform, ['account', 'list', '--json', '--limit', '9999', ...options]);
  return (JSON.parse(out) as { domain: string }[]).map(({ domain }) => domain);
};

test('ACCT-10 an account asks for live mode once, and waits until the operator switches it', async () => {
  expect(await listed('--waiting')).not.toContain(account.domain);
  const asked = await ask();
  expect(asked.status).toBe(200);
  expect(Date.parse(asked.body.liveRequestedAt)).toBeGreaterThan(Date.now() - 60_000);
  expect(asked.body.mode).toBe('test');
  expect(await listed('--waiting')).toContain(account.domain);

  const again = await ask();
  expect([again.status, again.body]).toEqual([200, asked.body]);
  const log = await account.admin.client.list(
    '/audit',
    { where: { action: 'account.request-live' } },
    { page: '1' },
  );
  expect(log.body.data).toMatchObject([
    { actorEmail: account.admin.email, after: { liveRequestedAt: asked.body.liveRequestedAt } },
  ]);

  expect((await runOperator(platform, ['account', 'go-live', account.domain])).out).toBe(
    `${account.domain} is in live mode.\n`,
  );
  expect((await account.admin.client.get('/accounts')).body).toMatchObject({
    mode: 'live',
    liveRequestedAt: null,
  });
  expect(await listed('--waiting')).not.toContain(account.domain);
  const refused = await ask();
  expect([refused.status, refused.body.error.errorCode]).toEqual([409, 'ALREADY_LIVE']);
});

test('ACCT-10 a USER cannot ask for live mode', async () => {
  const { client } = await createAccount(platform).then((other) => other.addUser('USER'));
  expect((await client.post('/accounts/live-request')).status).toBe(403);
  expect((await client.get('/accounts')).body.liveRequestedAt).toBeNull();
});

test('lists accounts by mode, status and words, and shows one with its credit and users', async () => {
  const other = await createAccount(platform);
  const of = other.domain.split('.')[0] ?? '';
  expect(await listed('--search', of.toUpperCase())).toEqual([other.domain]);
  expect(await listed('--search', of, '--mode', 'live')).toEqual([]);
  expect(await listed('--search', of, '--status', 'active', '--mode', 'test')).toEqual([other.domain]);
  expect(await listed('--search', '%_%')).toEqual([]);

  const { out } = await runOperator(platform, ['account', 'show', other.domain, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    domain: other.domain,
    available: expect.any(Number),
    users: 1,
    extensions: 0,
    suspended: null,
    signals: 0,
  });
});
