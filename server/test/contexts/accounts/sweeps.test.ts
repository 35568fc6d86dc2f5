import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessJobs, sweepTokensQueue } from '../../../src/contexts/access/access.jobs.ts';
import { accountJobs, sweepAccountsQueue } from '../../../src/contexts/accounts/account.jobs.ts';
import { jobSchedule } from '../../../src/main/jobs.ts';
import { createAccount, password, signupBody } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const day = 24 * 3600;

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
});
afterAll(() => platform.close());

const job = () => ({ id: 'sweep', signal: AbortSignal.timeout(120_000) });
const sweepAccounts = () => accountJobs(platform.api.app)[sweepAccountsQueue.name]?.({}, job());
const sweepTokens = () => accessJobs(platform.api.app)[sweepTokensQueue.name]?.({}, job());

const domains = async (): Promise<unknown[]> =>
  (await platform.database.query<{ domain: string }>('select domain from accounts')).map(
    ({ domain }) => domain,
  );
const prefixes = async (): Promise<string[]> =>
  (await platform.database.query<{ prefix: string }>('select prefix from access_tokens')).map(
    ({ prefix }) => prefix,
  );

test('unconfirmed sign-ups are removed after 7 days, not before', async () => {
  const confirmed = await createAccount(platform);
  const body = signupBody();
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);

  platform.clock.advance(7 * day - 60);
  await sweepAccounts();
  expect(await domains()).toEqual(expect.arrayContaining([body.domain, confirmed.domain]));

  platform.clock.advance(120);
  await sweepAccounts();
  expect(await domains()).not.toContain(body.domain);
  expect(await domains()).toContain(confirmed.domain);
  const left = await platform.database.query('select from users where email = $1', [body.email]);
  expect(left).toEqual([]);
});

test('the domain and e-mail of a removed sign-up can be used again', async () => {
  const body = signupBody();
  await platform.client().post('/accounts/signup', body);
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(422);
  platform.clock.advance(8 * day);
  await sweepAccounts();
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
});

test('one sweep removes more sign-ups than one batch', async () => {
  await platform.database.query(
    `insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, mode, created_at, updated_at)
     select gen_random_uuid(), 'velha-' || n || '.disca.test', 'Velha', 'velha@empresa.test', '1', 'Outros', '1-5', 'test',
            now() - interval '30 days', now() from generate_series(1, 250) n`,
  );
  await sweepAccounts();
  expect((await domains()).filter((domain) => String(domain).startsWith('velha-'))).toEqual([]);
});

test('expired tokens are removed; live and non-expiring tokens are kept', async () => {
  const { admin } = await createAccount(platform);
  const make = async (ttl: number): Promise<string> =>
    (await admin.client.post('/users/accessTokens', { ttl })).body.id.slice(0, 8);
  const [short, long, forever] = [await make(60), await make(30 * day), await make(-1)] as const;

  platform.clock.advance(59);
  await sweepTokens();
  expect(await prefixes()).toEqual(expect.arrayContaining([short, long, forever]));
  platform.clock.advance(2);
  await sweepTokens();
  expect(await prefixes()).not.toContain(short);
  expect(await prefixes()).toEqual(expect.arrayContaining([long, forever]));
  platform.clock.advance(31 * day);
  await sweepTokens();
  expect(await prefixes()).toContain(forever);
  expect(await prefixes()).not.toContain(long);
});

test('both sweeps are scheduled hourly on existing queues', async () => {
  const made = await platform.database.query<{ name: string }>('select name from pgboss.queue');
  for (const { name } of [sweepAccountsQueue, sweepTokensQueue]) {
    expect(jobSchedule[name]).toMatch(/^\d+ \* \* \* \*$/);
    expect(made.map((queue) => queue.name)).toContain(name);
  }
});

test('users of a swept account are removed and cannot log in', async () => {
  const body = signupBody();
  await platform.client().post('/accounts/signup', body);
  platform.clock.advance(8 * day);
  await sweepAccounts();
  const answer = await platform.client().post('/users/login', { email: body.email, password });
  expect(answer.body.error.errorCode).toBe('LOGIN_FAILED');
});
