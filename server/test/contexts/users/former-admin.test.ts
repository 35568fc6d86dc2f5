import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let former: Person;
let colleague: Person;

beforeAll(async () => {
  // One account uses half of the connections, and all requests have to wait for the lock at the same time.
  platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000000',
    DATABASE_POOL_SIZE: '20',
    // The first request waits for the lock until the last one does, also on a slow machine.
    STATEMENT_TIMEOUT_MS: '60000',
  });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const userRows = () =>
  platform.database.query('select uuid, email, role, email_verified from users order by id');
const extensionRows = () => platform.database.query('select * from extensions order by id');

/** Sends requests as an ADMIN who loses the role before they are processed. */
async function sendWhileLosingRole(change: string, requests: () => Promise<{ status: number }>[]) {
  const owner = new pg.Client({ connectionString: platform.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('select from accounts where id = $1 for no key update', [account.id]);
    await owner.query(change, [former.uuid]);
    const asked = requests();
    await expect
      .poll(
        async () =>
          (
            await platform.database.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).length,
        { timeout: 120_000 },
      )
      .toBe(asked.length);
    await owner.query('commit');
    const kept = [await userRows(), await extensionRows()];
    return { statuses: (await Promise.all(asked)).map(({ status }) => status), kept };
  } finally {
    await owner.end();
  }
}

const newAdmin = () => ({
  name: 'Porta dos fundos',
  email: `back-door-${Math.random()}@empresa.test`,
  password,
  phone: '5511912345678',
  role: 'ADMIN',
});

test.each([
  ['demoted', `update users set role = 'USER' where uuid = $1`],
  ['removed', 'delete from users where uuid = $1'],
])('USER-06 USER-13 AUTH-15 pending requests of an ADMIN who is %s grant no rights', async (_, change) => {
  former = await account.addUser('ADMIN');
  colleague = await account.addUser();
  const client = former.client;
  const extension = (await account.admin.client.post('/extensions', extensionBody())).body;
  const { statuses, kept } = await sendWhileLosingRole(change, () => [
    client.patch('/users', { role: 'ADMIN' }),
    client.patch('/users', { uuid: colleague.uuid, role: 'ADMIN' }),
    client.patch('/users', { uuid: account.admin.uuid, email: 'taken@empresa.test' }),
    client.post('/users', newAdmin()),
    client.delete(`/users/${colleague.uuid}`),
    client.post('/extensions', extensionBody({ email_address: former.email })),
    client.patch('/extensions', { id: extension.id, email_address: former.email }),
    client.delete(`/extensions/${extension.id}`),
    client.post(`/extensions/${extension.id}/phone-sessions`),
  ]);
  expect(statuses).toEqual(Array(9).fill(403));
  expect([await userRows(), await extensionRows()]).toEqual(kept);
});
