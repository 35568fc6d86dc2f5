import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import { listOperations } from '../../harness/operations.ts';
import { createAccount, logIn, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const tokenPath = '/users/accessTokens';
let platform: Platform;
let account: TestAccount;
const tokens: string[] = [];
const mailed: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  const { admin } = account;
  const user = await account.addUser();
  tokens.push(admin.token, user.token, (await logIn(platform, user.email, -1)).token);
  for (const { client } of [admin, user]) {
    for (let made = 0; made < 40; made += 1) tokens.push((await client.post(tokenPath, {})).body.id);
  }
  await platform.client().post('/users/reset', { email: admin.email });
  await admin.client.patch('/users', { email: 'moved@empresa.test' });
  for (const address of [admin.email, user.email, 'moved@empresa.test']) {
    for (const { data } of await mailsTo(platform, address))
      if ('link' in data && data.link) mailed.push(tokenFrom(data.link));
  }
  await platform.api.app.tokenUse.flush();
});
afterAll(() => platform.close());

/** Returns every row of every table, including the job queue, as text. */
async function dump(): Promise<string> {
  const tables = await platform.database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await platform.database.query<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

const encodings = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(secret, 'base64url').toString('hex'),
];

describe('a stolen copy of the database', () => {
  test('TOKEN-07 contains hashes of the issued tokens, never a token or half of one', async () => {
    const text = await dump();
    expect(text).toContain('access_tokens');
    for (const token of tokens) {
      for (const form of [...encodings(token), token.slice(0, 12), token.slice(32), token.slice(8, 24)])
        expect(text.includes(form)).toBe(false);
      expect(text).toContain(createHash('sha256').update(token).digest('hex'));
    }
  });

  test('contains no mailed link and no password', async () => {
    const text = await dump();
    expect(mailed.length).toBeGreaterThanOrEqual(4);
    for (const token of mailed) expect(text.includes(token.slice(0, 40))).toBe(false);
    for (const form of encodings(password)) expect(text.includes(form)).toBe(false);
    expect(text).toContain('$argon2id$');
  });
});

describe('access token', () => {
  test('TOKEN-07 TOKEN-15 is dsk_ and 60 URL-safe characters, unique, and random at every position', () => {
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^dsk_[A-Za-z0-9_-]{60}$/);
    // 83 draws from 64 characters yield about 47 distinct ones; fewer than 25 are practically impossible.
    for (let position = 4; position < 64; position += 1)
      expect(new Set(tokens.map((token) => token[position])).size).toBeGreaterThan(25);
  });

  test('TOKEN-07 appears in full in no other response and in no log line', async () => {
    const { client } = account.admin;
    const answers = await Promise.all([
      client.get(tokenPath),
      client.get('/users/me'),
      client.get('/users'),
      client.get('/accounts'),
      client.get('/audit', { query: { page: '1' } }),
      client.get('/nowhere'),
      client.post(tokenPath, { ttl: 1 }),
    ]);
    const shown = answers.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n');
    const logged = platform.logLines.join('\n');
    expect(logged).toContain('/users/accessTokens');
    for (const token of tokens)
      expect([shown.includes(token.slice(0, 16)), logged.includes(token.slice(0, 16))]).toEqual([
        false,
        false,
      ]);
  });
});

describe('password', () => {
  test('USER-02 is in no response schema', () => {
    for (const { name, responses } of listOperations(platform.document)) {
      const named = new Set(JSON.stringify(responses).match(/"(\w*password\w*|hash)":/gi) ?? []);
      // Exception: the short-lived password of a phone session is generated for this response and returned once.
      const isSession = name === 'POST /extensions/{id}/phone-sessions';
      expect([name, ...named]).toEqual([name, ...(isSession ? ['"password":'] : [])]);
    }
  });

  test('USER-02 is in no response, not even a rejection of it, and in no log line', async () => {
    const { client } = account.admin;
    const secret = 'canary-in-a-coal-mine';
    const body = {
      name: 'Bia',
      email: 'bia@empresa.test',
      password: secret,
      phone: '5511912345678',
      role: 'USER',
    };
    const answers = [
      await client.post('/users', body),
      await client.post('/users', body),
      await client.post('/users', { ...body, email: 'not an address', extra: 1 }),
      await client.patch('/users', { password: secret }),
      await platform.client().post('/users/login', { email: body.email, password: secret }),
      await platform.client().post('/users/login', { email: body.email, password: `${secret}!` }),
      await client.post('/users/change-password', { oldPassword: secret, newPassword: secret }),
      await platform.client().post('/users/reset-password', { token: 'x', password: secret }),
      await client.get('/users'),
      await client.list('/users', { where: { password_hash: secret } }),
      await client.get('/audit', { query: { page: '1' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200, 422, 422, 422, 200, 401, 422, 422, 200, 400, 200,
    ]);
    for (const { text } of answers) {
      expect(text).not.toContain('canary');
      expect(text).not.toContain('argon2');
    }
    expect(platform.logLines.join('\n')).not.toContain('canary');
  });
});
