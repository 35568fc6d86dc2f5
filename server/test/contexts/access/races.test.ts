import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});
beforeEach(async () => {
  ana = await account.addUser();
});

/**
 * Sends requests that all need the same user's row while it is locked, so that all of them have passed the earlier
 * checks when the lock is released. PostgreSQL then serves them in order of arrival.
 */
async function sendInOrder(user: Person, requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  await withLock('select from users where uuid = $1 for update', [user.uuid], async () => {
    for (const send of requests) {
      answers.push(send());
      await untilBlocked(answers.length);
    }
  });
  return await Promise.all(answers);
}

async function withLock(lock: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: platform.database.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(lock, values);
    await work();
    await holder.query('commit');
  } finally {
    await holder.end();
  }
}

async function untilBlocked(expected: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const [row] = await platform.database.query<{ waiting: string }>(
      `select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (Number(row?.waiting) >= expected) return;
  }
  throw new Error(`Fewer than ${expected} requests are waiting for the row.`);
}

describe('a token requested while the user changes', () => {
  const changePassword = () =>
    account.admin.client
      .as(ana.token)
      .post('/users/change-password', { oldPassword: password, newPassword: 'another staple' });
  const logIn = () => platform.client().post('/users/login', { email: ana.email, password });
  const promote = () => account.admin.client.patch('/users', { uuid: ana.uuid, role: 'ADMIN' });
  const remove = () => account.admin.client.delete(`/users/${ana.uuid}`);
  const createToken = (token: string) => platform.client(token).post('/users/accessTokens', {});

  const liveTokens = async () =>
    Number(
      (
        await platform.database.query<{ count: string }>(
          'select count(*) from access_tokens t join users u on u.id = t.user_id where u.uuid = $1',
          [ana.uuid],
        )
      )[0]?.count,
    );

  test('AUTH-13 is not issued to a token that a concurrent password change has revoked', async () => {
    const stolen = (await createToken(ana.token)).body.id;
    const [changed, made] = await sendInOrder(ana, [changePassword, () => createToken(stolen)]);
    expect([changed?.status, made?.status, made?.body.error.errorCode]).toEqual([204, 401, 'INVALID_TOKEN']);
    expect(await liveTokens()).toBe(1);
  });

  test('AUTH-13 is not issued to a token that a concurrent role change has revoked', async () => {
    const [changed, made] = await sendInOrder(ana, [promote, () => createToken(ana.token)]);
    expect([changed?.status, made?.status]).toEqual([200, 401]);
    expect(await liveTokens()).toBe(0);
  });

  test('AUTH-13 is not issued by a login whose password is changed concurrently', async () => {
    const [changed, entered] = await sendInOrder(ana, [changePassword, logIn]);
    expect([changed?.status, entered?.status, entered?.body.error?.errorCode]).toEqual([
      204,
      401,
      'LOGIN_FAILED',
    ]);
    expect(await liveTokens()).toBe(1);
  });

  test('USER-17 is not issued, by token or login, to a user who is removed concurrently', async () => {
    const [removed, made, entered] = await sendInOrder(ana, [remove, () => createToken(ana.token), logIn]);
    expect([removed?.status, made?.status, made?.body.error.errorCode]).toEqual([204, 401, 'INVALID_TOKEN']);
    expect([entered?.status, entered?.body.error?.errorCode]).toEqual([401, 'LOGIN_FAILED']);
  });
});

test('TOKEN-12 EXT-18 a login does not end a phone session that is being opened', async () => {
  const body = extensionBody({ email_address: ana.email });
  const { id } = (await account.admin.client.post('/extensions', body)).body;
  await platform.database.query(
    `insert into access_tokens (hash, prefix, account_id, user_id, ttl_seconds, created_at, expires_at, is_login)
     select sha256(n::text::bytea || u.uuid::text::bytea), lpad(n::text, 8, 'x'), u.account_id, u.id, -1, now(), 'infinity', true
       from users u, generate_series(1, 49) n where u.uuid = $1`,
    [ana.uuid],
  );
  await platform.database.query(`update access_tokens set created_at = 'epoch' where prefix = $1`, [
    ana.token.slice(0, 8),
  ]);
  const answers: Promise<Answer>[] = [];
  await withLock('lock table phone_sessions in share mode', [], async () => {
    answers.push(ana.client.post(`/extensions/${id}/phone-sessions`, {}));
    await untilBlocked(1);
    answers.push(platform.client().post('/users/login', { email: ana.email, password }));
    await untilBlocked(2);
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ana.client.get('/users/me')).status).toBe(200);
  const open = await platform.database.query(
    'select from phone_sessions where extension_id = $1 and ended_at is null',
    [id],
  );
  expect(open).toHaveLength(1);
});

describe('many requests with one token', () => {
  const getOften = (count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, () => ana.client.get('/users/me')));

  test('LIMIT-17 share the look-ups of the token, and so do not use all connections', async () => {
    const connect = vi.spyOn(platform.api.base.db.pool, 'connect');
    try {
      expect((await getOften(40)).map(({ status }) => status)).toEqual(Array(40).fill(200));
      expect(connect.mock.calls.length).toBeGreaterThan(0);
      expect(connect.mock.calls.length).toBeLessThan(20);
    } finally {
      connect.mockRestore();
    }
  });

  test('AUTH-05 AUTH-11 are refused once the token is revoked, also beside look-ups that began before', async () => {
    for (let round = 0; round < 10; round += 1) {
      ana = await account.addUser();
      const before = getOften(20);
      const out = await ana.client.post('/users/logout');
      const after = getOften(20);
      expect(out.status).toBe(204);
      expect((await after).map(({ status }) => status)).toEqual(Array(20).fill(401));
      await before;
    }
  });
});

describe('recording token use', () => {
  test('TOKEN-09 skips a token that is being revoked and updates the others', async () => {
    const logIn = async () =>
      (await platform.client().post('/users/login', { email: ana.email, password })).body.id as string;
    // Both are unused before the lock, and nothing uses them after it: uses are also recorded every 5 s.
    const revoked = await logIn();
    const other = await logIn();
    await withLock(
      'select from access_tokens where prefix = $1 for update',
      [revoked.slice(0, 8)],
      async () => {
        for (const token of [revoked, other]) await platform.client(token).get('/users/me');
        await platform.api.app.tokenUse.flush();
        expect(await readLastUse(other)).toEqual(expect.any(Date));
        expect(await readLastUse(revoked)).toBeNull();
      },
    );
  });

  test('TOKEN-09 waits for the write that another flush has begun', async () => {
    await withLock('lock table access_tokens in exclusive mode', [], async () => {
      await ana.client.get('/users/me');
      void platform.api.app.tokenUse.flush();
      await untilBlocked(1);
      const second = platform.api.app.tokenUse.flush().then(() => 'flushed');
      expect(await Promise.race([second, ana.client.get('/users/me').then(() => 'waiting')])).toBe('waiting');
    });
    await platform.api.app.tokenUse.flush();
    expect(await readLastUse(ana.token)).toEqual(expect.any(Date));
  });

  const readLastUse = async (token: string) => {
    const rows = await platform.database.query<{ last_used_at: Date | null }>(
      'select last_used_at from access_tokens where prefix = $1',
      [token.slice(0, 8)],
    );
    return rows[0]?.last_used_at;
  };
});
