import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
beforeEach(async () => {
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

const fields = [
  'createdAt',
  'email',
  'emailVerified',
  'lastLoginAt',
  'name',
  'phone',
  'role',
  'updatedAt',
  'uuid',
];
const me = async (person: Person) => (await person.client.get('/users/me')).body;

describe('GET /users/me', () => {
  test('USER-01 returns the logged-in user with exactly its nine fields', async () => {
    for (const [person, role] of [
      [ana, 'USER'],
      [account.admin, 'ADMIN'],
    ] as const) {
      const { status, body } = await person.client.get('/users/me');
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(fields);
      expect(body).toMatchObject({ uuid: person.uuid, email: person.email, role });
      for (const name of ['name', 'phone']) expect(typeof body[name]).toBe('string');
      expect(typeof body.emailVerified).toBe('boolean');
      for (const name of ['createdAt', 'updatedAt', 'lastLoginAt'])
        expect(body[name]).toBe(new Date(body[name]).toISOString());
    }
  });
});

describe('GET /users', () => {
  test('USER-03 returns only the users of the account, with the fields of USER-01', async () => {
    await createAccount(platform);
    const { status, body } = await ana.client.get('/users');
    expect(status).toBe(200);
    expect(body.map((user: { uuid: string }) => user.uuid).sort()).toEqual(
      [ana.uuid, account.admin.uuid].sort(),
    );
    const own = body.find((user: { uuid: string }) => user.uuid === ana.uuid);
    expect(own).toMatchObject(await me(ana));
    for (const user of body) expect(Object.keys(user).sort()).toEqual([...fields, 'locale'].sort());
  });

  test('USER-03 accepts a filter', async () => {
    const { body, headers } = await ana.client.list('/users', { where: { role: 'ADMIN' }, fields: ['uuid'] });
    expect(body).toEqual([{ uuid: account.admin.uuid }]);
    expect(headers['x-total-count']).toBe('1');
    const newest = await ana.client.list('/users', { order: 'createdAt DESC', limit: 1 });
    expect(newest.body).toMatchObject([{ uuid: ana.uuid }]);
    expect(newest.headers['x-total-count']).toBe('2');
  });

  test('USER-03 a filter finds no user of another account', async () => {
    const otherAdmin = (await createAccount(platform)).admin;
    const { body } = await ana.client.list('/users', { where: { email: otherAdmin.email } });
    expect(body).toEqual([]);
  });

  test('USER-04 returns an array for one user and for none', async () => {
    const onlyUser = await createAccount(platform);
    expect((await onlyUser.admin.client.get('/users')).body).toHaveLength(1);
    const one = await ana.client.list('/users', { where: { uuid: ana.uuid } });
    expect(one.body).toMatchObject([{ uuid: ana.uuid }]);
    expect((await ana.client.list('/users', { where: { name: 'Unknown' } })).body).toEqual([]);
  });

  test('lastLoginAt is null before the first login', async () => {
    await account.admin.client.post('/users', {
      name: 'Novo',
      email: `never-${account.id}@empresa.test`,
      password: 'eight-88',
      phone: '5511912345678',
      role: 'USER',
    });
    const { body } = await ana.client.list('/users', { where: { lastLoginAt: null } });
    expect(body).toMatchObject([{ email: `never-${account.id}@empresa.test`, lastLoginAt: null }]);
  });
});

describe('PATCH /users', () => {
  test('USER-11 accepts email, name, phone, emailVerified and role, and returns the user', async () => {
    const change = { name: 'Ana Lima', phone: '5521987654321', emailVerified: true, role: 'ADMIN' };
    const first = await account.admin.client.patch('/users', { uuid: ana.uuid, ...change });
    expect([first.status, first.body]).toMatchObject([200, { uuid: ana.uuid, ...change, email: ana.email }]);
    const email = `new-${account.id}@empresa.test`;
    const second = await account.admin.client.patch('/users', { uuid: ana.uuid, email });
    expect([second.status, second.body]).toMatchObject([200, { ...change, email, emailVerified: false }]);
    const listed = await account.admin.client.list('/users', { where: { uuid: ana.uuid } });
    expect(listed.body).toEqual([second.body]);
  });

  test('USER-11 keeps fields that are not sent; what was read can be sent back', async () => {
    const before = await me(ana);
    platform.clock.advance(5);
    const { status, body } = await ana.client.patch('/users', before);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...before, updatedAt: body.updatedAt });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(body.createdAt).toBe(before.createdAt);
  });

  test('USER-11 ignores read-only fields and rejects unknown ones', async () => {
    const before = await me(ana);
    const stale = { createdAt: '2001-01-01T00:00:00.000Z', lastLoginAt: null };
    expect((await ana.client.patch('/users', stale)).body).toMatchObject({ createdAt: before.createdAt });
    expect(await me(ana)).toMatchObject({ lastLoginAt: before.lastLoginAt });
    for (const unknown of ['password', 'password_hash', 'account_id', 'id', 'email_verified', 'emial']) {
      const refused = await ana.client.patch('/users', { name: 'Mallory', [unknown]: 'x' });
      expect([unknown, refused.status, refused.body.error.details[0].path]).toEqual([unknown, 422, unknown]);
    }
    expect((await me(ana)).name).toBe(before.name);
  });

  test('USER-12 changes the current user, with or without uuid', async () => {
    expect((await ana.client.patch('/users', { name: 'Ana Um' })).body).toMatchObject({
      uuid: ana.uuid,
      name: 'Ana Um',
    });
    const named = await ana.client.patch('/users', { uuid: ana.uuid.toUpperCase(), name: 'Ana Dois' });
    expect(named.body).toMatchObject({ uuid: ana.uuid, name: 'Ana Dois' });
    expect((await me(account.admin)).name).not.toContain('Ana');
  });

  test('USER-12 changes only the user that an ADMIN names', async () => {
    const before = await me(account.admin);
    const { status } = await account.admin.client.patch('/users', { uuid: ana.uuid, name: 'Ana Lima' });
    expect([status, (await me(ana)).name, (await me(account.admin)).name]).toEqual([
      200,
      'Ana Lima',
      before.name,
    ]);
  });

  test('USER-12 returns 403 ACCESS_DENIED for a USER who names another user, known or not', async () => {
    for (const uuid of [account.admin.uuid, '019a8f00-0000-7000-8000-000000000000', 'not-a-uuid']) {
      const { status, body } = await ana.client.patch('/users', { uuid, name: 'Mallory' });
      expect([status, body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect((await me(account.admin)).name).not.toBe('Mallory');
  });

  test('USER-12 returns the same 404 for an unknown and a foreign uuid, and changes no user', async () => {
    const otherAdmin = (await createAccount(platform)).admin;
    const answers: Answer[] = [];
    for (const uuid of ['019a8f00-0000-7000-8000-000000000000', otherAdmin.uuid, 'not-a-uuid', ''])
      answers.push(await account.admin.client.patch('/users', { uuid, name: 'Mallory' }));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await me(otherAdmin)).name).not.toBe('Mallory');
  });

  test('USER-13 an ADMIN changes role and emailVerified, of others and their own', async () => {
    const set = (change: object) => account.admin.client.patch('/users', { uuid: ana.uuid, ...change });
    expect((await set({ emailVerified: true })).body.emailVerified).toBe(true);
    expect((await set({ emailVerified: false })).body.emailVerified).toBe(false);
    expect((await set({ role: 'ADMIN' })).body.role).toBe('ADMIN');
    expect((await account.admin.client.patch('/users', { emailVerified: false })).body.emailVerified).toBe(
      false,
    );
  });

  test('USER-13 a USER gets 403 if role or emailVerified would change, and nothing changes', async () => {
    const before = await me(ana);
    for (const change of [
      { role: 'ADMIN' },
      { emailVerified: true },
      { role: 'ADMIN', emailVerified: false },
    ]) {
      const { status, body } = await ana.client.patch('/users', { name: 'Mallory', ...change });
      expect([status, body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect(await me(ana)).toEqual(before);
  });

  test('USER-13 a USER may send role and emailVerified unchanged', async () => {
    const { status, body } = await ana.client.patch('/users', {
      role: 'USER',
      emailVerified: false,
      name: 'Ana',
    });
    expect([status, body.name]).toEqual([200, 'Ana']);
  });

  test.each(['123', 'not a phone', '+55', '5511987654321234567890', '', null, 123])(
    'USER-09 rejects the phone %j',
    async (phone) => {
      const before = await me(ana);
      const { status, body } = await ana.client.patch('/users', { phone });
      expect([status, body.error.details[0].path]).toEqual([422, 'phone']);
      expect(await me(ana)).toEqual(before);
    },
  );

  test.each(['5511987654321', '+55 11 98765-4321', '(11) 3031-5000', '+14155552671', 5511987654321])(
    'USER-09 accepts the phone %s',
    async (phone) => {
      expect((await ana.client.patch('/users', { phone })).status).toBe(200);
    },
  );

  test.each(['OWNER', 'admin', '', null, 1])('USER-10 rejects the role %j', async (role) => {
    const { status, body } = await account.admin.client.patch('/users', { uuid: ana.uuid, role });
    expect([status, body.error.details[0].path]).toEqual([422, 'role']);
    expect((await me(ana)).role).toBe('USER');
  });

  test('USER-07 rejects an email of another user, in any case and any account', async () => {
    const otherAdmin = (await createAccount(platform)).admin;
    for (const email of [account.admin.email, account.admin.email.toUpperCase(), otherAdmin.email]) {
      const { status, body } = await ana.client.patch('/users', { email });
      expect([status, body.error.details]).toMatchObject([422, [{ path: 'email', code: 'duplicate' }]]);
    }
    expect((await me(ana)).email).toBe(ana.email);
    expect((await ana.client.patch('/users', { email: ana.email })).status).toBe(200);
  });

  test('USER-07 one of many concurrent changes to the same email succeeds', async () => {
    const others = await Promise.all([account.addUser(), account.addUser(), account.addUser()]);
    const email = `changed-${account.id}@empresa.test`;
    const answers = await Promise.all(
      [ana, ...others].map(({ client }) => client.patch('/users', { email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });
});
