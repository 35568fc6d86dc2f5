import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;
let people = 0;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  admin = account.admin;
});

const newcomer = (changes: object = {}) => {
  people += 1;
  return {
    name: `Novo ${people}`,
    email: `novo${people}@empresa.test`,
    password: 'eight-88',
    phone: '5511912345678',
    role: 'USER',
    ...changes,
  };
};
const emails = async (): Promise<string[]> =>
  (await admin.client.get('/users')).body.map((user: { email: string }) => user.email);

describe('POST /users', () => {
  test('USER-05 by an ADMIN creates the user and returns exactly name, email, phone and role', async () => {
    for (const role of ['USER', 'ADMIN']) {
      const { password: _, ...body } = newcomer({ role });
      const answer = await admin.client.post('/users', { ...body, password: 'eight-88' });
      expect([answer.status, answer.body]).toEqual([200, body]);
      const listed = await admin.client.list('/users', { where: { email: body.email } });
      expect(listed.body).toMatchObject([{ ...body, emailVerified: false }]);
    }
  });

  test('USER-06 by a user without role ADMIN is rejected, and creates no user', async () => {
    const user = await account.addUser();
    const body = newcomer();
    const denied = await user.client.post('/users', body);
    expect([denied.status, denied.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    const anonymous = await platform.client().post('/users', body);
    expect([anonymous.status, anonymous.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
    expect(await emails()).not.toContain(body.email);
  });

  test('USER-07 rejects an email of another user, in any case and any account', async () => {
    const otherAdmin = (await createAccount(platform)).admin;
    for (const email of [admin.email, admin.email.toUpperCase(), otherAdmin.email]) {
      const { status, body } = await admin.client.post('/users', newcomer({ email }));
      expect([status, body.error.details]).toMatchObject([422, [{ path: 'email', code: 'duplicate' }]]);
    }
  });

  test('USER-07 creates one user from many concurrent requests with the same email', async () => {
    const body = newcomer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.client.post('/users', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect((await emails()).filter((email) => email === body.email)).toHaveLength(1);
  });

  test('USER-08 rejects a password of 7 characters and accepts one of 8', async () => {
    const refused = await admin.client.post('/users', newcomer({ password: 'seven77' }));
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'password']);
    expect((await admin.client.post('/users', newcomer({ password: 'eight-88' }))).status).toBe(200);
    expect((await admin.client.post('/users', newcomer({ password: 'x'.repeat(257) }))).status).toBe(422);
  });

  test('USER-23 a first password needs 8 characters only, because existing clients create users with such', async () => {
    expect((await admin.client.post('/users', newcomer({ password: '12345678' }))).status).toBe(200);
  });

  test.each(['123', 'not a phone', '', null])('USER-09 rejects the phone %j', async (phone) => {
    const { status, body } = await admin.client.post('/users', newcomer({ phone }));
    expect([status, body.error.details[0].path]).toEqual([422, 'phone']);
  });

  test.each(['OWNER', 'user', '', null])('USER-10 rejects the role %j', async (role) => {
    const { status, body } = await admin.client.post('/users', newcomer({ role }));
    expect([status, body.error.details[0].path]).toEqual([422, 'role']);
  });

  test('USER-05 requires every field and reports all that are missing', async () => {
    const { status, body } = await admin.client.post('/users', {});
    expect(status).toBe(422);
    expect(body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual([
      'email',
      'name',
      'password',
      'phone',
      'role',
    ]);
  });

  test('USER-19 creates a user who can log in immediately', async () => {
    const body = newcomer();
    await admin.client.post('/users', body);
    const login = await platform
      .client()
      .post('/users/login', { email: body.email, password: body.password });
    expect(login.status).toBe(200);
    const me = await platform.client(login.body.id).get('/users/me');
    expect(me.body).toMatchObject({ uuid: login.body.userId, email: body.email, role: 'USER' });
  });

  test('USER-05 adds the user to the ADMIN’s account, whatever else is sent', async () => {
    const otherAccount = await createAccount(platform);
    const body = { ...newcomer(), uuid: otherAccount.admin.uuid, emailVerified: true };
    expect((await admin.client.post('/users', body)).status).toBe(200);
    const [created] = (await admin.client.list('/users', { where: { email: body.email } })).body;
    expect(created).toMatchObject({ emailVerified: false });
    expect(created.uuid).not.toBe(otherAccount.admin.uuid);
    expect((await admin.client.post('/users', { ...newcomer(), account_id: otherAccount.id })).status).toBe(
      422,
    );
    expect((await otherAccount.admin.client.get('/users')).body).toHaveLength(1);
  });
});
