import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const daySeconds = 86_400;
const path = '/users/me/sessions';
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
});
// Tokens of earlier tests have expired.
beforeEach(async () => {
  account = await createAccount(platform);
});
afterAll(() => platform.close());

type Options = { headers: Record<string, string> };

async function openConsole({ email }: Person, agent = 'Browser', address?: string): Promise<Options> {
  const client = address === undefined ? platform.client() : platform.client().from(address);
  const given = { headers: { 'user-agent': agent } };
  const { headers } = await client.post('/console/session', { email, password }, given);
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return { headers: { cookie, 'x-disca-console': '1' } };
}

const prefixOf = ({ headers }: Options): string => (headers.cookie ?? '').split('=')[1]?.slice(0, 8) ?? '';
const status = async (session: Options) => (await platform.client().get('/users/me', session)).status;

/** Uses the session and writes down that it was used. */
async function use(session: Options): Promise<number> {
  const got = await status(session);
  await platform.api.app.tokenUse.flush();
  return got;
}

test('AUTH-22 lists the console sessions of the user, and no other tokens', async () => {
  const ana = await account.addUser();
  await openConsole(account.admin);
  const old = await openConsole(ana, 'Firefox on Linux', '203.0.113.9');
  platform.clock.advance(120);
  const current = await openConsole(ana, 'x'.repeat(400), '198.51.100.7');
  await use(current);
  const { body, text } = await platform.client().get(path, current);
  expect(body).toMatchObject([
    { prefix: prefixOf(current), isCurrent: true, address: '198.51.100.7', userAgent: 'x'.repeat(300) },
    { prefix: prefixOf(old), isCurrent: false, address: '203.0.113.9', userAgent: 'Firefox on Linux' },
  ]);
  const [first] = body;
  expect(Date.parse(first.expiresAt) - Date.parse(first.lastUsedAt)).toBe(14 * daySeconds * 1000);
  expect(text).not.toContain((current.headers.cookie ?? '').split('=')[1]);
});

test('AUTH-21 a session ends 14 days after its last use, and 90 days after it was opened', async () => {
  const ana = await account.addUser();
  const session = await openConsole(ana);
  for (let use14 = 1; use14 <= 6; use14 += 1) {
    platform.clock.advance(14 * daySeconds - 1);
    expect([use14, await use(session)]).toEqual([use14, 200]);
  }
  // 84 days less 6 s have passed.
  platform.clock.advance(6 * daySeconds + 5);
  expect(await use(session)).toBe(200);
  platform.clock.advance(1);
  expect(await use(session)).toBe(401);
  const idle = await openConsole(ana);
  platform.clock.advance(14 * daySeconds);
  expect(await use(idle)).toBe(401);
  expect((await platform.client().as(ana.token).get(path)).status).toBe(401);
});

test('AUTH-21 uses do not prolong other tokens', async () => {
  const ana = await account.addUser();
  platform.clock.advance(7 * daySeconds);
  expect((await ana.client.get('/users/me')).status).toBe(200);
  await platform.api.app.tokenUse.flush();
  platform.clock.advance(7 * daySeconds);
  expect((await ana.client.get('/users/me')).status).toBe(401);
});

test('AUTH-23 ends one session, or all others, and records it', async () => {
  const ana = await account.addUser();
  const [first, second, third] = [await openConsole(ana), await openConsole(ana), await openConsole(ana)];
  const browser = platform.client();
  expect((await browser.delete(`${path}/${prefixOf(first)}`, third)).status).toBe(204);
  expect([await status(first), await status(second), await status(third)]).toEqual([401, 200, 200]);
  expect((await browser.delete(`${path}/${prefixOf(first)}`, third)).status).toBe(404);
  expect((await browser.delete(path, third)).status).toBe(204);
  expect([await status(second), await status(third)]).toEqual([401, 200]);
  expect((await ana.client.get('/users/me')).status).toBe(200);
  const filter = { where: { action: 'token.revoke', actorEmail: ana.email } };
  const { body } = await account.admin.client.list('/audit', filter, { page: '1' });
  expect(body.data.map(({ targetId }: { targetId: string }) => targetId).sort()).toEqual(
    [prefixOf(first), prefixOf(second)].sort(),
  );
});

test('AUTH-23 does not end tokens or sessions of other users', async () => {
  const ana = await account.addUser();
  const session = await openConsole(ana);
  const foreign = await openConsole(account.admin);
  for (const prefix of [ana.token.slice(0, 8), prefixOf(foreign), 'unknown1', 'x'])
    expect((await platform.client().delete(`${path}/${prefix}`, session)).status).toBe(404);
  expect([await status(foreign), (await ana.client.get('/users/me')).status]).toEqual([200, 200]);
});

test('AUTH-21 a console session ends after the CONSOLE_IDLE_MINUTES of the operator', async () => {
  const other = await startPlatform({ RATE_LIMIT_SCALE: '1000', CONSOLE_IDLE_MINUTES: '30' });
  try {
    const { admin } = await createAccount(other);
    other.clock.freeze();
    const { headers } = await other.client().post('/console/session', { email: admin.email, password });
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const session = { headers: { cookie, 'x-disca-console': '1' } };
    const used = async () => {
      const answer = await other.client().get('/users/me', session);
      await other.api.app.tokenUse.flush();
      return answer.status;
    };
    other.clock.advance(29 * 60);
    expect(await used()).toBe(200);
    other.clock.advance(29 * 60);
    expect(await used()).toBe(200);
    other.clock.advance(30 * 60 + 1);
    expect(await used()).toBe(401);
  } finally {
    await other.close();
  }
});
