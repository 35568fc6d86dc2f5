import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestLog } from '../../../src/contexts/requests/index.ts';
import type { RequestRecord } from '../../../src/contexts/requests/request.store.ts';
import type { Database } from '../../../src/platform/db/database.ts';
import { flushRequests, listRequests } from '../../harness/fixtures/requests.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', STATEMENT_TIMEOUT_MS: '5000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const recordOf = (changes: Partial<RequestRecord> = {}): RequestRecord => ({
  account_id: account.id,
  user_uuid: account.admin.uuid,
  token_hash: '',
  at: platform.clock.now().toISOString(),
  method: 'POST',
  route: '/calls',
  status: 200,
  error_code: null,
  invalid_fields: null,
  ignored_fields: null,
  request_id: 'recorded-request',
  address: '192.0.2.1',
  duration_ms: 1,
  ...changes,
});

async function countLost(): Promise<number> {
  const text = await platform.api.base.metrics.text();
  return Number(/^disca_requests_not_recorded_total\S* (\d+)$/m.exec(text)?.[1]);
}

test('REQLOG-05 requests are recorded automatically within a few seconds of their responses', async () => {
  await account.admin.client.patch('/accounts', { name: 'Gravada' });
  const rows = () => platform.database.query('select from requests where account_id = $1', [account.id]);
  await until(async () => (await rows()).length > 0, 'the request is recorded');
});

test('REQLOG-05 a database that does not take records neither delays nor fails requests, and the loss is counted', async () => {
  expect(await countLost()).toBe(0);
  const lock = new pg.Client({ connectionString: platform.database.ownerUrl });
  await lock.connect();
  await lock.query('begin; lock table requests in access exclusive mode');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => account.admin.client.patch('/accounts', { name: `Empresa ${n}` })),
  );
  const flushing = flushRequests(platform);
  const during = await account.admin.client.patch('/accounts', { name: 'Durante' });
  const isPending = await Promise.race([flushing.then(() => false), sleep(0, true)]);
  expect([...answers, during].map(({ status }) => status)).toEqual(Array(21).fill(200));
  expect(isPending).toBe(true);
  await flushing;
  expect(await countLost()).toBeGreaterThanOrEqual(20);
  expect(platform.logLines.some((line) => line.includes('requests not recorded'))).toBe(true);
  await lock.query('rollback');
  await lock.end();
  await account.admin.client.patch(
    '/accounts',
    { name: 'Depois' },
    { headers: { 'x-request-id': 'after-the-lock' } },
  );
  const where = { requestId: 'after-the-lock' };
  expect(await listRequests(platform, account.admin.client, { where })).toHaveLength(1);
});

test('REQLOG-05 a full buffer loses and counts further records without waiting', () => {
  const never = { pool: { query: () => new Promise(() => undefined) } } as unknown as Database;
  let lost = 0;
  const log = createRequestLog({ db: never, onLost: (count) => (lost += count) });
  for (let n = 0; n < 12_000; n += 1) log.note(recordOf());
  // One batch of 500 is being written.
  expect(lost).toBe(1_500);
});

test('REQLOG-05 a stopping process writes pending records, and does not wait for a database that is down', async () => {
  const log = createRequestLog({ db: platform.api.base.db, onLost: () => undefined });
  for (let n = 0; n < 1_200; n += 1) log.note(recordOf({ request_id: 'written-at-stop' }));
  await log.close();
  const rows = await platform.database.query(`select from requests where request_id = 'written-at-stop'`);
  expect(rows).toHaveLength(1_200);

  let attempts = 0;
  const query = () => {
    attempts += 1;
    return Promise.reject(new Error('the database is down'));
  };
  let lost = 0;
  const down = createRequestLog({
    db: { pool: { query } } as unknown as Database,
    onLost: (count) => (lost += count),
  });
  for (let n = 0; n < 499; n += 1) down.note(recordOf());
  await down.close();
  expect([attempts, lost]).toEqual([1, 499]);
});

test('REQLOG-02 names with any characters are stored, and batches mix accounts', async () => {
  const other = await createAccount(platform);
  await account.admin.client.patch('/accounts', { 'a\u0000b': 1, '\ud800': 2, 'c"\\{,}': 3 });
  await other.admin.client.patch('/accounts', { name: 'Outra' });
  const [listed] = await listRequests(platform, account.admin.client);
  expect(listed?.invalidFields).toEqual(['a\ufffdb', '\ufffd', 'c"\\{,}']);
  expect(await listRequests(platform, other.admin.client)).toHaveLength(1);
});

test('REQLOG-09 with REQUEST_LOG=off nothing is recorded, and earlier requests are listed', async () => {
  const off = await startPlatform({ REQUEST_LOG: 'off', RATE_LIMIT_SCALE: '1000' });
  try {
    const { admin, id } = await createAccount(off);
    await admin.client.patch('/accounts', { name: 'Calada' });
    expect(off.api.app.requestLog).toBeUndefined();
    const log = createRequestLog({ db: off.api.base.db, onLost: () => undefined });
    log.note(recordOf({ account_id: id, user_uuid: admin.uuid, at: off.clock.now().toISOString() }));
    await log.close();
    const { body } = await admin.client.list('/requests');
    expect(body.data.map(({ route }: { route: string }) => route)).toEqual(['/calls']);
  } finally {
    await off.close();
  }
});
