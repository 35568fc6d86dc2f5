import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopTime } from '../../harness/clock.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import { cheapPasswords, type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let hashes = 0;
beforeAll(async () => {
  const passwords = cheapPasswords();
  const hash = (text: string) => {
    hashes += 1;
    return passwords.hash(text);
  };
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' }, { passwords: { ...passwords, hash } });
});
afterAll(() => platform.close());

let made = 0;
const addUser = ({ admin }: TestAccount, changes = {}) => {
  made += 1;
  const email = `pessoa-${made}@empresa.test`;
  return admin.client.post('/users', {
    name: 'Ana',
    email,
    password,
    phone: '5511912345678',
    role: 'USER',
    ...changes,
  });
};

test.each([
  ['users', '2'],
  ['mails', '1'],
])(
  'LIMIT-19 LIMIT-24 bug: a user beyond the budget of %s is refused before the password is hashed',
  async (resource, most) => {
    stopTime();
    const account = await createAccount(platform);
    await runOperator(platform, ['budgets', 'set', account.domain, resource, most]);
    expect((await addUser(account)).status).toBe(200);
    hashes = 0;
    for (const _ of [1, 2, 3]) expect((await addUser(account)).body.error.errorCode).toBe('ACCOUNT_LIMIT');
    expect(hashes).toBe(0);
  },
);

test('LIMIT-19 an address that is taken is reported as such when no mail is left', async () => {
  const account = await createAccount(platform);
  await runOperator(platform, ['budgets', 'set', account.domain, 'mails', '0']);
  const { status, body } = await addUser(account, { email: account.admin.email });
  expect([status, body.error.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
});
