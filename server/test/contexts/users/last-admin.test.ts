import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { createAccount, logIn, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
});
beforeEach(async () => {
  account = await createAccount(platform);
  admin = account.admin;
});

const adminsLeft = async (): Promise<number> =>
  (await platform.database.query(`select from users where account_id = $1 and role = 'ADMIN'`, [account.id]))
    .length;
const demote = (by: Person, whom: Person) => by.client.patch('/users', { uuid: whom.uuid, role: 'USER' });
const remove = (by: Person, whom: Person) => by.client.delete(`/users/${whom.uuid}`);

describe('the last ADMIN', () => {
  test('USER-15 USER-16 cannot be demoted: 409 LAST_ADMIN, and stays ADMIN', async () => {
    await account.addUser();
    for (const change of [{ role: 'USER' }, { uuid: admin.uuid, role: 'USER', name: 'Mallory' }]) {
      const { status, body } = await admin.client.patch('/users', change);
      expect([status, body.error.errorCode]).toEqual([409, 'LAST_ADMIN']);
    }
    const me = await admin.client.get('/users/me');
    expect([me.status, me.body.role]).toEqual([200, 'ADMIN']);
    expect(me.body.name).not.toBe('Mallory');
  });

  test('USER-16 cannot be removed: 409 LAST_ADMIN, and stays', async () => {
    await account.addUser();
    const { status, body } = await remove(admin, admin);
    expect([status, body.error.errorCode]).toEqual([409, 'LAST_ADMIN']);
    expect((await admin.client.get('/users/me')).body.role).toBe('ADMIN');
  });

  test('USER-15 USER-16 is determined within its own account', async () => {
    await createAccount(platform);
    expect((await demote(admin, admin)).status).toBe(409);
  });

  test('USER-15 USER-16 can leave once there is another', async () => {
    const second = await account.addUser('ADMIN');
    expect((await demote(admin, admin)).status).toBe(200);
    expect((await demote(second, second)).status).toBe(409);
    expect((await remove(second, admin)).status).toBe(204);
    expect((await remove(second, second)).status).toBe(409);
  });

  test('USER-15 remains when two ADMINs demote each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      account = await createAccount(platform);
      const [first, second] = [account.admin, await account.addUser('ADMIN')];
      const answers = await Promise.all([demote(first, second), demote(second, first)]);
      expect(await adminsLeft()).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test('USER-16 remains when many ADMINs demote and remove each other concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      account = await createAccount(platform);
      const others = await Promise.all([1, 2, 3, 4].map(() => account.addUser('ADMIN')));
      const all = [account.admin, ...others];
      const requests = all.flatMap((by, i) => {
        const next = all[(i + 1) % all.length] ?? by;
        return [demote(by, next), remove(by, next), demote(by, by)];
      });
      const answers = await Promise.all(requests);
      expect(await adminsLeft()).toBe(1);
      for (const { status } of answers) expect([200, 204, 401, 403, 404, 409]).toContain(status);
    }
  });
});

describe('removing a user', () => {
  test('USER-17 by an ADMIN returns 204, revokes the user’s tokens and frees the email', async () => {
    const user = await account.addUser();
    const phone = await logIn(platform, user.email);
    const answer = await remove(admin, user);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const { token } of [user, phone])
      expect((await platform.client(token).get('/users/me')).body.error.errorCode).toBe('INVALID_TOKEN');
    expect((await admin.client.get('/users')).text).not.toContain(user.uuid);
    const login = { email: user.email, password: 'correct horse battery' };
    expect((await platform.client().post('/users/login', login)).status).toBe(401);
    const again = { name: 'De novo', ...login, phone: '5511912345678', role: 'USER' };
    expect((await admin.client.post('/users', again)).status).toBe(200);
  });

  test('USER-17 returns the same 404 for an unknown and a foreign uuid, and removes no user', async () => {
    const other = await createAccount(platform);
    const foreign = await other.addUser();
    const answers: Answer[] = [];
    for (const uuid of [
      '019a8f00-0000-7000-8000-000000000000',
      foreign.uuid,
      other.admin.uuid,
      'not-a-uuid',
      '%00',
    ])
      answers.push(await admin.client.delete(`/users/${uuid}`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const { client } of [foreign, other.admin]) expect((await client.get('/users/me')).status).toBe(200);
  });

  test('USER-17 is for ADMINs: a USER gets 403, even for themselves', async () => {
    const user = await account.addUser();
    for (const whom of [user, admin]) {
      const { status, body } = await remove(user, whom);
      expect([status, body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  test('USER-17 twice returns 204 and then 404', async () => {
    const user = await account.addUser();
    const statuses = await Promise.all([remove(admin, user), remove(admin, user)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});
