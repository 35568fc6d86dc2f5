import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { linkTo, mailsTo } from '../../harness/mailbox.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { password, signupBody } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let account: CallingAccount;
beforeAll(async () => {
  platform = await startCallLimitPlatform({ SIGNUP_APPROVAL: 'on', DEFAULT_ACCOUNT_MODE: 'live' });
  account = await createCallingAccount(platform);
});
afterAll(() => platform.close());

const approve = (domain: string) =>
  runOperator(platform, ['account', 'approve', domain, '--reason', 'A customer']);
const listed = async (): Promise<string[]> => {
  const { out } = await runOperator(platform, ['account', 'list', '--waiting', '--json', '--limit', '9999']);
  return (JSON.parse(out) as { domain: string }[]).map(({ domain }) => domain);
};
const codeOf = async (answer: Promise<{ status: number; body: { error?: { errorCode: string } } }>) => {
  const { status, body } = await answer;
  return [status, body.error?.errorCode];
};
const awaitsApproval = async ({ admin }: CallingAccount) =>
  (await admin.client.get('/users/me/context')).body.account.awaitsApproval;
const refused = [403, 'ACCOUNT_NOT_APPROVED'];

test('SIGNUP-34 SIGNUP-35 an account places no outbound calls and is not live until it is approved', async () => {
  const { client, email } = account.admin;
  expect(await awaitsApproval(account)).toBe(true);
  expect(await codeOf(account.call())).toEqual(refused);
  const dialer = { phone: '5511987654321', extension: account.ramal, metadata: {} };
  expect(await codeOf(client.post('/dialer', dialer))).toEqual(refused);
  expect(await codeOf(client.post('/callerIds', { number: '5511912345678' }))).toEqual(refused);
  expect(await account.running()).toBe(0);
  const live = await runOperator(platform, ['account', 'go-live', account.domain]);
  expect(live).toMatchObject({ code: 1, err: expect.stringContaining('is not approved yet') });
  expect(await listed()).toContain(account.domain);

  expect(await approve(account.domain)).toMatchObject({ code: 0, out: `${account.domain} is approved.\n` });
  expect(await listed()).not.toContain(account.domain);
  expect(await awaitsApproval(account)).toBe(false);
  platform.clock.advance(1);
  expect((await account.call()).status).toBe(200);
  expect((await runOperator(platform, ['account', 'go-live', account.domain])).code).toBe(0);
  const mails = (await mailsTo(platform, email)).filter(({ template }) => template === 'account-approved');
  expect(mails).toMatchObject([{ locale: 'pt-BR', data: { link: 'http://console.disca.test' } }]);
  const log = await client.list('/audit', { where: { action: 'account.approve' } }, { page: '1' });
  expect(log.body.data).toMatchObject([{ after: { awaitsApprovalSince: null } }]);
  expect((await approve(account.domain)).err).toContain('does not wait for approval');
});

test('SIGNUP-34 the link activates the account and logs in; live mode waits for the approval', async () => {
  const body = signupBody({ email: `${randomUUID()}@example.com` });
  const [email, domain] = [String(body.email), String(body.domain)];
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  expect(await listed()).not.toContain(domain);
  expect((await approve(domain)).err).toContain('is pending: only an active account can be approved');

  const { pathname, search } = await linkTo(platform, email, 'confirm-email');
  const { headers } = await platform.client().get(pathname.replace('/api/v1', '') + search);
  const addressProof = new URL(String(headers.location)).searchParams.get('proof');
  const login = { email, password, addressProof };
  expect((await platform.client().post('/console/session', login)).status).toBe(204);
  const state = () =>
    platform.database.query('select status, mode, address_proved from accounts where domain = $1', [domain]);
  expect(await state()).toEqual([{ status: 'active', mode: 'test', address_proved: true }]);
  expect(await listed()).toContain(domain);
  expect((await approve(domain)).code).toBe(0);
  expect(await state()).toEqual([{ status: 'active', mode: 'test', address_proved: true }]);
});

test('SIGNUP-34 by default accounts need no approval', async () => {
  const other = await startCallLimitPlatform();
  try {
    const free = await createCallingAccount(other);
    expect(await awaitsApproval(free)).toBe(false);
    expect((await free.call()).status).toBe(200);
  } finally {
    await other.close();
  }
});
