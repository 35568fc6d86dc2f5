import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { createAccount, password, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', STATEMENT_TIMEOUT_MS: '3000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const failed = {
  error: {
    statusCode: 500,
    errorCode: 'INTERNAL_ERROR',
    name: 'InternalServerError',
    message: 'Internal error. Quote the request id when you contact support.',
  },
};
const unavailable = {
  error: {
    statusCode: 503,
    errorCode: 'SERVICE_UNAVAILABLE',
    name: 'ServiceUnavailable',
    message: 'The service is temporarily unavailable. Try again shortly.',
  },
};

const internals =
  /select|insert|column|relation|constraint|node_modules|\.ts\b|\bat \w|127\.0\.0\.1|postgres|redis|Error:/i;

function expectNoInternals({ headers, text }: Answer): void {
  expect(text).not.toMatch(internals);
  expect(JSON.stringify(headers)).not.toMatch(internals);
}

test('ERR-09 a database failure exposes no internals and is logged with its request id', async () => {
  await platform.database.query('alter table accounts rename column phone to fone');
  const answer = await account.admin.client.get('/accounts');
  await platform.database.query('alter table accounts rename column fone to phone');

  expect(answer.status).toBe(500);
  expect(answer.body).toEqual(failed);
  expectNoInternals(answer);
  const logged = platform.logLines.find((line) => line.includes('request failed'));
  expect(logged).toContain('column \\"phone\\" does not exist');
  expect(logged).toContain(answer.headers['x-request-id']);
  expect((await account.admin.client.get('/accounts')).status).toBe(200);
});

test('ERR-09 an unexpected error exposes no internals', async () => {
  const { passwords } = platform.api.app;
  const original = passwords.matches;
  passwords.matches = () => Promise.reject(new TypeError('secret at /srv/disca/server/src/passwords.ts:12'));
  const answer = await platform.client().post('/users/login', { email: account.admin.email, password });
  passwords.matches = original;

  expect(answer.status).toBe(500);
  expect(answer.body).toEqual(failed);
  expectNoInternals(answer);
  expect(answer.headers['x-request-id']).toBeDefined();
});

test('ERR-08 ERR-09 a request that times out on a database lock returns 503 with Retry-After', async () => {
  const lock = new pg.Client({ connectionString: platform.database.ownerUrl });
  await lock.connect();
  await lock.query('begin; select * from accounts for update');
  const answer = await account.admin.client.patch('/accounts', { name: 'Espera' });
  await lock.query('rollback');
  await lock.end();

  expect(answer.status).toBe(503);
  expect(answer.body).toEqual(unavailable);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expectNoInternals(answer);
  expect((await account.admin.client.patch('/accounts', { name: 'Espera' })).status).toBe(200);
});

test('ERR-08 ERR-09 while the database drops connections responses are right or 503 with Retry-After', async () => {
  const cut = () =>
    platform.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'disca-api'`,
    );
  const seen = new Set<number>();
  for (let rounds = 0; rounds < 5; rounds++) {
    const asked = Array.from({ length: 20 }, () => account.admin.client.get('/accounts'));
    await cut();
    for (const answer of await Promise.all(asked)) {
      seen.add(answer.status);
      expect([200, 503]).toContain(answer.status);
      if (answer.status === 503) {
        expect(answer.body).toEqual(unavailable);
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      }
    }
  }
  expect(seen).toContain(200);
  expect((await account.admin.client.get('/accounts')).status).toBe(200);
});
