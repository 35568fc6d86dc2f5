import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let user: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  user = await account.addUser();
});

describe('a user with role USER', () => {
  test('AUTH-14 lists the users of the account', async () => {
    const { status, body } = await user.client.get('/users');
    expect(status).toBe(200);
    expect(body.map((each: { uuid: string }) => each.uuid).sort()).toEqual(
      [account.admin.uuid, user.uuid].sort(),
    );
  });

  test('AUTH-14 creates, lists and revokes their own tokens', async () => {
    const made = await user.client.post('/users/accessTokens', {});
    const prefix = made.body.id.slice(0, 8);
    const listed = await user.client.get('/users/accessTokens');
    expect(listed.body.map((each: { prefix: string }) => each.prefix)).toContain(prefix);
    expect((await user.client.delete(`/users/accessTokens/${prefix}`)).status).toBe(204);
  });

  test('AUTH-14 edits their own profile and no other', async () => {
    const changed = await user.client.patch('/users', {
      name: 'Ana Lima',
      phone: '5521987654321',
      locale: 'en',
    });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Ana Lima', phone: '5521987654321' }]);
    const other = await user.client.patch('/users', { uuid: account.admin.uuid, name: 'Mallory' });
    expect([other.status, other.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
  });

  test('AUTH-15 can neither change the account nor add users, unlike an ADMIN', async () => {
    const newcomer = {
      name: 'Novo',
      email: 'novo@empresa.test',
      password,
      phone: '5511912345678',
      role: 'USER',
    };
    const requests = [
      ['PATCH', '/accounts', { name: 'Padaria Nova' }],
      ['POST', '/users', newcomer],
    ] as const;
    const before = await account.admin.client.get('/accounts');
    for (const [method, path, body] of requests) {
      const denied = await user.client.request(method, path, { body });
      expect([path, denied.status, denied.body.error.errorCode]).toEqual([path, 403, 'ACCESS_DENIED']);
    }
    expect((await account.admin.client.get('/accounts')).text).toBe(before.text);
    expect((await account.admin.client.get('/users')).text).not.toContain(newcomer.email);
    for (const [method, path, body] of requests)
      expect([path, (await account.admin.client.request(method, path, { body })).status]).toEqual([
        path,
        200,
      ]);
  });

  test('AUTH-15 is rejected for the role before validation', async () => {
    for (const [method, path] of [
      ['PATCH', '/accounts'],
      ['POST', '/users'],
      ['DELETE', '/users/unknown'],
    ] as const) {
      const denied = await user.client.request(method, path, { body: { nonsense: true } });
      expect([path, denied.status, denied.body.error.errorCode]).toEqual([path, 403, 'ACCESS_DENIED']);
    }
  });

  test('AUTH-16 can use no operation on the financial account or on charges', async () => {
    for (const path of ['/accounts/financial', '/charges', '/charges/1', '/charges/1/cancel']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const isThere = isDescribed(method, path);
        const { status, body } = await user.client.request(method, path);
        expect([method, path, status]).toEqual([method, path, isThere ? 403 : 405]);
        if (isThere) expect(body.error.errorCode).toBe('ACCESS_DENIED');
      }
    }
  });

  const isDescribed = (method: string, path: string): boolean =>
    Object.entries(platform.document.paths).some(
      ([each, operations]) =>
        method.toLowerCase() in operations &&
        new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
});
