import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../harness/client.ts';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { until } from '../../../harness/until.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  // With two connections an account may use one at a time. Statements wait longer than any test.
  const settings = { DATABASE_POOL_SIZE: '2', STATEMENT_TIMEOUT_MS: '60000' };
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', ...settings });
  account = await createAccount(platform);
  await insertCalls(platform.database, account, [{ startedAt: new Date(Date.UTC(2026, 5, 1)) }]);
});
afterAll(() => platform.close());

/** Keeps exports from reading any call during the work. */
async function whileCallsAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: platform.database.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table calls in access exclusive mode');
    return await work();
  } finally {
    await holder.end();
  }
}

const waitingExports = async (): Promise<number> => {
  const [row] = await platform.database.query<{ count: string }>(
    `select count(*) from pg_locks where not granted and relation = 'calls'::regclass`,
  );
  return Number(row?.count);
};

const exportBy = (client: Client, filter?: object) => client.list('/calls/export', filter);

test('CALL-57 refuses a second export of a user until the first has ended', async () => {
  const { client } = account.admin;
  const other = await account.addUser();
  const { first, others } = await whileCallsAreLocked(async () => {
    const first = exportBy(client);
    await until(async () => (await waitingExports()) === 1, 'the export runs');
    const second = await exportBy(client);
    expect([second.status, second.headers['retry-after']]).toEqual([429, '5']);
    expect(second.body.error).toMatchObject({
      errorCode: 'CAPACITY_EXCEEDED',
      message: 'You already have an export running. Wait until it ends, or cancel it.',
    });
    expect((await exportBy(client, { limit: 0 })).status).toBe(400);
    const others = exportBy(other.client);
    await until(async () => (await waitingExports()) === 2, 'the export of another user runs');
    return { first, others };
  });
  expect([(await first).status, (await others).status]).toEqual([200, 200]);
  for (const _ of [1, 2]) expect((await exportBy(client)).status).toBe(200);
});

test('CALL-57 an export ends with its connection, and so does one that fails', async () => {
  const { client, token } = account.admin;
  const url = await platform.listen();
  await whileCallsAreLocked(async () => {
    const control = new AbortController();
    const headers = { authorization: token };
    const aborted = fetch(`${url}/api/v1/calls/export`, { headers, signal: control.signal });
    await until(async () => (await waitingExports()) === 1, 'the export runs');
    control.abort();
    await expect(aborted).rejects.toThrow();
  });
  await until(async () => (await exportBy(client)).status === 200, 'the next export runs');
  expect((await client.head('/calls/export')).status).toBe(200);
  await platform.database.query('revoke select on calls, call_records from disca_service');
  expect((await exportBy(client)).status).toBe(500);
  await platform.database.query('grant select on calls, call_records to disca_service');
  expect((await exportBy(client)).status).toBe(200);
});

test('CALL-57 exports leave the connections of other requests free', async () => {
  const people = [account.admin, await account.addUser(), await account.addUser()];
  let ended = 0;
  const exports = await whileCallsAreLocked(async () => {
    const exports = people.map(async ({ client }) => {
      const { status } = await exportBy(client);
      ended += 1;
      return status;
    });
    await until(async () => (await waitingExports()) > 0, 'an export waits for calls');
    expect((await account.admin.client.get('/users/me')).status).toBe(200);
    expect((await account.admin.client.patch('/accounts', { name: 'Livre' })).status).toBe(200);
    expect(ended).toBe(0);
    return exports;
  });
  expect(await Promise.all(exports)).toEqual([200, 200, 200]);
});

test('LIMIT-24 refuses an export beyond the budget of the account by name, and leaves other accounts alone', async () => {
  const [second, third] = [await account.addUser(), await account.addUser()];
  const neighbour = await createAccount(platform);
  const budget = (most: number | null) =>
    platform.database.query(
      `insert into account_budgets (account_id, resource, most) values ($1, 'exports', $2)
       on conflict (account_id, resource) do update set most = excluded.most`,
      [account.id, most],
    );
  await budget(2);
  const exports = await whileCallsAreLocked(async () => {
    const running = [account.admin, second].map(({ client }) => exportBy(client));
    await until(async () => (await waitingExports()) === 2, 'two exports run');
    const refused = await exportBy(third.client);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      errorCode: 'ACCOUNT_LIMIT',
      message: expect.stringContaining('limit is 2 exports of calls at once'),
    });
    const others = exportBy(neighbour.admin.client);
    await until(async () => (await waitingExports()) === 3, 'the export of another account runs');
    return [...running, others];
  });
  for (const each of exports) expect((await each).status).toBe(200);
  expect((await exportBy(third.client)).status).toBe(200);
  await budget(null);
});
