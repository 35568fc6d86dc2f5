import { expect, test } from 'vitest';
import type { Passwords } from '../../../src/contexts/access/index.ts';
import { createAccount, password } from '../../harness/people.ts';
import { cheapPasswords, startPlatform } from '../../harness/platform.ts';

test('USER-18 holds no database connection while checking a password', async () => {
  const real = cheapPasswords();
  let gate = Promise.resolve();
  let waiting = 0;
  const slow: Passwords = {
    hash: (given) => real.hash(given),
    async matches(stored, given) {
      waiting += 1;
      await gate;
      return await real.matches(stored, given);
    },
  };
  const settings = { RATE_LIMIT_SCALE: '1000', DATABASE_POOL_SIZE: '2' };
  const platform = await startPlatform(settings, { passwords: slow });
  try {
    const account = await createAccount(platform);
    const people = [await account.addUser(), await account.addUser(), await account.addUser()];
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    waiting = 0;
    const changes = people.map(({ client }) =>
      client.post('/users/change-password', { oldPassword: password, newPassword: 'another staple' }),
    );
    await expect.poll(() => waiting).toBe(people.length);
    expect((await account.admin.client.get('/accounts')).status).toBe(200);
    open();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([204, 204, 204]);
  } finally {
    await platform.close();
  }
});

test('USER-18 exactly one of two changes with the same old password succeeds', async () => {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  try {
    const { admin } = await createAccount(platform);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        admin.client.post('/users/change-password', { oldPassword: password, newPassword: `another ${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422]);
    const entered = await Promise.all(
      answers.map(async (_, i) => {
        const given = { email: admin.email, password: `another ${i + 1}` };
        return (await platform.client().post('/users/login', given)).status;
      }),
    );
    expect(entered).toEqual(answers.map(({ status }) => (status === 204 ? 200 : 401)));
  } finally {
    await platform.close();
  }
});
