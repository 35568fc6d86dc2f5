import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsTo } from '../../harness/mailbox.ts';
import { createAccount, signupBody } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

async function countTo(email: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { template } of await mailsTo(platform, email)) counts[template] = (counts[template] ?? 0) + 1;
  return counts;
}

test('AUTH-12 an address gets at most five reset mails per hour, with unchanged responses', async () => {
  const { admin } = await createAccount(platform);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      platform.client().post('/users/reset', { email: i % 2 ? admin.email : admin.email.toUpperCase() }),
    ),
  );
  expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(12).fill([204, '']));
  expect(await countTo(admin.email)).toMatchObject({ 'reset-password': 5 });
  const metrics = await platform.api.base.metrics.text();
  expect(metrics).toMatch(/^disca_mails_withheld_total\{.*\} 7$/m);
});

test('SIGNUP-13 an address gets at most five confirmation mails per hour, including the first', async () => {
  const body = signupBody();
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  for (let asked = 1; asked <= 7; asked++) {
    const answer = await platform.client().post('/accounts/signup/resend', { email: body.email });
    expect([answer.status, answer.text]).toEqual([204, '']);
  }
  expect(await countTo(String(body.email))).toEqual({ 'confirm-email': 5 });
});

test('repeated address changes do not flood a third party’s mailbox, and all succeed', async () => {
  const { admin } = await createAccount(platform);
  const thirdParty = 'third-party@elsewhere.test';
  for (let moves = 1; moves <= 8; moves++) {
    for (const email of [thirdParty, admin.email]) {
      const answer = await platform.client(admin.token).patch('/users', { email });
      expect([answer.status, answer.body.email]).toEqual([200, email]);
    }
  }
  expect(await countTo(thirdParty)).toEqual({ 'confirm-new-address': 5, 'email-changed': 5 });
});

test('the mail limit resets after an hour', async () => {
  const { admin } = await createAccount(platform);
  const ask = () => platform.client().post('/users/reset', { email: admin.email });
  for (let asked = 1; asked <= 6; asked++) await ask();
  const { redis } = platform.api;
  const prefix = redis.options.keyPrefix ?? '';
  const keys = await redis.keys(`${prefix}limit:mail:reset-password:*`);
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(await redis.pttl(key.slice(prefix.length))).toBeLessThanOrEqual(3_600_000);
    await redis.del(key.slice(prefix.length));
  }
  await ask();
  expect(await countTo(admin.email)).toMatchObject({ 'reset-password': 6 });
});
