import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountShares } from '../../../src/platform/db/account-shares.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';

let platform: Platform;
beforeAll(async () => {
  // Of 12 connections an account may use 6. Statements wait longer than any test.
  const settings = { DATABASE_POOL_SIZE: '12', STATEMENT_TIMEOUT_MS: '60000' };
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', ...settings });
  platform.clock.freeze();
});
afterAll(() => platform.close());

/** Makes every request for a list of extensions wait during the work. */
async function whileExtensionsAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: platform.database.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table extensions in access exclusive mode');
    return await work();
  } finally {
    await holder.end();
  }
}

const waiting = async (): Promise<number> => {
  const [row] = await platform.database.query<{ count: string }>(
    `select count(*) from pg_locks where not granted and relation = 'extensions'::regclass`,
  );
  return Number(row?.count);
};
const requests = ({ admin }: TestAccount, count: number) =>
  Array.from({ length: count }, () => admin.client.get('/extensions'));
const statuses = async (answers: ReturnType<typeof requests>): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);
const setBudget = ({ domain }: TestAccount, most: string) =>
  runOperator(platform, ['budgets', 'set', domain, 'database_connections', most]);
const budgetOf = async ({ admin }: TestAccount) => {
  const { budgets } = (await admin.client.get('/accounts/limits')).body;
  return budgets.find(({ resource }: { resource: string }) => resource === 'database_connections');
};

test('LIMIT-26 requests of an account use as many connections as its budget, those of others theirs', async () => {
  const [limited, other] = [await createAccount(platform), await createAccount(platform)];
  await setBudget(limited, '2');
  platform.clock.advance(31);
  const held = await whileExtensionsAreLocked(async () => {
    const first = requests(limited, 5);
    await until(async () => (await waiting()) === 2, 'two requests run');
    const second = requests(other, 9);
    await until(async () => (await waiting()) === 8, 'six requests of the other account run');
    return [...first, ...second];
  });
  expect(await statuses(held)).toEqual(Array.from({ length: 14 }, () => 200));
  expect(await budgetOf(limited)).toEqual({
    resource: 'database_connections',
    limit: 2,
    used: null,
    isSet: true,
  });
  expect(await budgetOf(other)).toMatchObject({ limit: null, isSet: false });
});

test('LIMIT-26 a changed budget applies after 30 s, and never exceeds half of the connections', async () => {
  const account = await createAccount(platform);
  const running = async () =>
    await whileExtensionsAreLocked(async () => {
      const answers = requests(account, 9);
      await until(async () => (await waiting()) >= 1, 'a request runs');
      // The others would have started in this time.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { count: await waiting(), answers };
    });
  const count = async (): Promise<number> => {
    const { count: found, answers } = await running();
    expect(new Set(await statuses(answers))).toEqual(new Set([200]));
    return found;
  };
  expect(await count()).toBe(6);
  await setBudget(account, '1');
  platform.clock.advance(29);
  expect(await count()).toBe(6);
  platform.clock.advance(2);
  expect(await count()).toBe(1);
  await setBudget(account, '100');
  platform.clock.advance(31);
  expect(await count()).toBe(6);
  await setBudget(account, '0');
  platform.clock.advance(31);
  expect(await count()).toBe(1);
  await setBudget(account, 'none');
  platform.clock.advance(31);
  expect(await count()).toBe(6);
});

test('LIMIT-17 LIMIT-26 a request that waits too long is refused and counted by the name of the budget', async () => {
  const account = await createAccount(platform);
  const { db } = platform.api.base;
  const { shares } = db;
  db.shares = createAccountShares(6, 200);
  try {
    await setBudget(account, '1');
    platform.clock.advance(31);
    const { refused, answers } = await whileExtensionsAreLocked(async () => {
      const both = requests(account, 2);
      return { refused: await Promise.race(both), answers: both };
    });
    expect((await statuses(answers)).toSorted()).toEqual([200, 503]);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body.error).toMatchObject({
      errorCode: 'SERVICE_UNAVAILABLE',
      message: 'Too many requests of this account are running. Try again shortly.',
    });
    expect(await platform.api.base.metrics.text()).toMatch(
      /^disca_budget_refusals_total\{.*resource="database_connections".*\} 1$/m,
    );
  } finally {
    db.shares = shares;
  }
});

test('LIMIT-31 an account sends the requests of five seconds at once, then those of its budget', async () => {
  const [limited, other] = [await createAccount(platform), await createAccount(platform)];
  const user = await limited.addUser('USER');
  await runOperator(platform, ['budgets', 'set', limited.domain, 'requests', '2']);
  platform.clock.advance(31);
  const ask = async (count: number) => {
    // By two users in turn, whose requests count together.
    const asked = Array.from({ length: count }, (_, i) =>
      (i % 2 ? user : limited.admin).client.get('/users/me'),
    );
    return (await Promise.all(asked)).filter(({ status }) => status === 200).length;
  };
  expect(await ask(12)).toBe(10);
  const refused = await user.client.patch('/accounts', { name: 'Outra' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.body.error).toMatchObject({
    errorCode: 'RATE_LIMITED',
    message: expect.stringContaining('This account may send 2 requests per second'),
  });
  expect((await other.admin.client.get('/users/me')).status).toBe(200);
  platform.clock.advance(1);
  expect(await ask(5)).toBe(2);
  platform.clock.advance(600);
  expect(await ask(12)).toBe(10);
  await runOperator(platform, ['budgets', 'set', limited.domain, 'requests', 'none']);
  platform.clock.advance(31);
  expect(await ask(12)).toBe(12);
});
