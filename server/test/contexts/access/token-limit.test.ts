import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, logIn, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const path = '/users/accessTokens';
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
beforeEach(async () => {
  account = await createAccount(platform);
  ana = await account.addUser();
  platform.clock.advance(60);
});
afterAll(() => platform.close());

const prefixes = async (person: Person = ana): Promise<string[]> =>
  (await platform.client(person.token).get(path)).body.map(({ prefix }: { prefix: string }) => prefix);
const isValid = async (token: string): Promise<boolean> =>
  (await platform.client(token).get('/users/me')).status === 200;
const isOpenWith = async (cookie: string): Promise<boolean> =>
  (await platform.client().get('/users/me', { headers: { cookie, 'x-disca-console': '1' } })).status === 200;

const enter = (): Promise<Answer> => platform.client().post('/users/login', { email: ana.email, password });
const enterConsole = (): Promise<Answer> =>
  platform.client().post('/console/session', { email: ana.email, password });
const readCookie = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';

/** Adds tokens as the previous release did, or as logins do, oldest first. Returns their prefixes. */
async function insertTokens(count: number, { isLogin }: { isLogin: boolean }): Promise<string[]> {
  const added = Array.from({ length: count }, () => randomBytes(6).toString('base64url'));
  const rest = isLogin ? { columns: ', is_login', values: ', true' } : { columns: '', values: '' };
  await platform.database.query(
    `insert into access_tokens (hash, prefix, account_id, user_id, ttl_seconds, created_at, expires_at ${rest.columns})
     select sha256(prefix::bytea), prefix, u.account_id, u.id, -1, $3::timestamptz + place * interval '1 ms',
            'infinity' ${rest.values}
       from users u, unnest($2::text[]) with ordinality as added (prefix, place) where u.uuid = $1`,
    [ana.uuid, added, new Date(platform.clock.now().getTime() - 30_000)],
  );
  return added;
}

/** Opens a phone session with the person's token; returns the path of the session. */
async function openPhone(person: Person): Promise<string> {
  const body = extensionBody({ email_address: person.email });
  const { id } = (await account.admin.client.post('/extensions', body)).body;
  const opened = await person.client.post(`/extensions/${id}/phone-sessions`, {});
  expect(opened.status).toBe(200);
  return `/extensions/${id}/phone-sessions/${opened.body.id}`;
}

describe('explicitly created tokens', () => {
  test('TOKEN-11 TOKEN-12 are at most 45, even when requested concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 55 }, () => ana.client.post(path, {})));
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([made.length, refused.length]).toEqual([45, 10]);
    expect(new Set(refused.map(({ body }) => body.error.errorCode))).toEqual(new Set(['TOKEN_LIMIT']));
    expect(await prefixes()).toHaveLength(46);
    for (const { body } of made) expect(await isValid(body.id)).toBe(true);
  });

  test('TOKEN-11 TOKEN-12 are counted per user and include tokens of earlier releases', async () => {
    const neighbour = await account.addUser();
    const older = await insertTokens(45, { isLogin: false });
    expect((await ana.client.post(path, {})).status).toBe(409);
    expect((await neighbour.client.post(path, {})).status).toBe(200);
    await ana.client.delete(`${path}/${older[0]}`);
    expect((await ana.client.post(path, {})).status).toBe(200);
  });

  test('TOKEN-11 exclude expired tokens', async () => {
    const keeper = (await ana.client.post(path, { ttl: -1 })).body.id;
    for (let token = 1; token < 45; token += 1) await ana.client.post(path, { ttl: 60 });
    expect((await ana.client.post(path, {})).status).toBe(409);
    platform.clock.advance(61);
    expect((await platform.client(keeper).post(path, {})).status).toBe(200);
  });

  test('TOKEN-11 TOKEN-12 replace a login, but never the one that requests them', async () => {
    const [oldest] = await insertTokens(49, { isLogin: true });
    await platform.database.query(`update access_tokens set created_at = 'epoch' where prefix = $1`, [
      ana.token.slice(0, 8),
    ]);
    const made = await ana.client.post(path, {});
    expect(made.status).toBe(200);
    const left = await prefixes();
    expect(left).toHaveLength(50);
    expect(left).not.toContain(oldest);
  });
});

describe('a login at the limit', () => {
  test('TOKEN-11 TOKEN-12 ends the least recently used login and no other token', async () => {
    const made = await insertTokens(10, { isLogin: false });
    const [oldest, second] = await insertTokens(39, { isLogin: true });
    await platform.database.query('update access_tokens set last_used_at = $2 where prefix = $1', [
      oldest,
      platform.clock.now(),
    ]);
    expect(await prefixes()).toHaveLength(50);
    await platform.api.app.tokenUse.flush();
    expect((await enter()).status).toBe(200);
    const left = await prefixes();
    expect(left).toHaveLength(50);
    expect(left).not.toContain(second);
    expect(left).toEqual(expect.arrayContaining([...made, oldest, ana.token.slice(0, 8)]));
    const [audited] = await platform.database.query(
      `select actor_uuid from audit_entries where action = 'token.revoke' and target_id = $1`,
      [second],
    );
    expect(audited).toEqual({ actor_uuid: ana.uuid });
  });

  test('TOKEN-12 to the API or the console never fails, however many tokens there are', async () => {
    for (let login = 1; login <= 60; login += 1) expect((await enter()).status).toBe(200);
    expect((await enterConsole()).status).toBe(204);
    ana = await logIn(platform, ana.email);
    expect(await prefixes()).toHaveLength(50);
  });

  test('TOKEN-12 keeps all 50 tokens of an earlier release and leaves 5 slots to logins', async () => {
    await platform.client(ana.token).post('/users/logout');
    const older = await insertTokens(50, { isLogin: false });
    for (let login = 1; login <= 7; login += 1) {
      platform.clock.advance(1);
      ana = await logIn(platform, ana.email);
    }
    const left = await prefixes();
    expect(left).toHaveLength(55);
    expect(left).toEqual(expect.arrayContaining(older));
    expect((await enterConsole()).status).toBe(204);
    expect((await ana.client.post(path, {})).body.error?.errorCode).toBe('TOKEN_LIMIT');
  });

  test('TOKEN-11 TOKEN-12 concurrent logins all succeed within the limit', async () => {
    const made = await insertTokens(45, { isLogin: false });
    await insertTokens(4, { isLogin: true });
    const answers = await Promise.all([enter(), enterConsole(), enter(), enterConsole(), enter()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 200, 204, 200]);
    for (const each of [answers[0], answers[2], answers[4]]) expect(await isValid(each?.body.id)).toBe(true);
    for (const each of [answers[1], answers[3]])
      expect(each && (await isOpenWith(readCookie(each)))).toBe(true);
    const left = await prefixes({ ...ana, token: answers[0]?.body.id });
    expect(left).toHaveLength(50);
    expect(left).toEqual(expect.arrayContaining(made));
  });

  test('TOKEN-12 EXT-18 never ends a login with an open phone session', async () => {
    const session = await openPhone(ana);
    await insertTokens(45, { isLogin: false });
    for (let login = 1; login <= 8; login += 1) {
      platform.clock.advance(1);
      expect((await enter()).status).toBe(200);
    }
    expect(await isValid(ana.token)).toBe(true);
    expect(await prefixes()).toHaveLength(50);
    expect((await ana.client.delete(session)).status).toBe(204);
    // Uses noted so far are written now, not by the timer after the next statement.
    await platform.api.app.tokenUse.flush();
    await platform.database.query(
      `update access_tokens set last_used_at = null, created_at = 'epoch' where prefix = $1`,
      [ana.token.slice(0, 8)],
    );
    expect((await enter()).status).toBe(200);
    expect(await isValid(ana.token)).toBe(false);
  });

  test('TOKEN-12 EXT-18 succeeds even if every other login has an open phone session', async () => {
    await insertTokens(45, { isLogin: false });
    const phones = [ana];
    for (let login = 1; login <= 5; login += 1) {
      const next = await logIn(platform, ana.email);
      phones.push(next);
      await openPhone(next);
      if (login === 1) await openPhone(ana);
    }
    for (const { token } of phones) expect(await isValid(token)).toBe(true);
    expect(await prefixes()).toHaveLength(51);
  });

  test('AUTH-17 a console session with an open phone is kept when ten newer ones are opened', async () => {
    const cookie = readCookie(await enterConsole());
    const token = cookie.split('=')[1] ?? '';
    await openPhone({ ...ana, token, client: platform.client(token) });
    for (let more = 1; more <= 11; more += 1) {
      platform.clock.advance(1);
      await enterConsole();
    }
    expect(await isOpenWith(cookie)).toBe(true);
    const { body } = await ana.client.get(path);
    expect(body.filter(({ name }: { name: string | null }) => name === 'Console')).toHaveLength(10);
  });
});
