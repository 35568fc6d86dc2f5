import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Budgeted, budgetedResources, saveDefault } from '../../../src/contexts/limits/index.ts';
import { markRemoved } from '../../../src/contexts/recordings/recording.store.ts';
import { migrate } from '../../../src/main/migrate.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { addStoredRecording, wav } from '../../harness/fixtures/recordings.ts';
import { createFormerDatabase } from '../../harness/former-database.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;

beforeAll(async () => {
  platform = await startCallLimitPlatform({});
  operator = openOperator(platform);
});
afterAll(async () => {
  await operator.close();
  await platform.close();
});
beforeEach(() => saveDefault(operator.db, budgetedResources, 'test', null));

const setDefault = (resource: Budgeted, most: number) => saveDefault(operator.db, [resource], 'test', most);

const budgetOf = async (account: TestAccount, resource: string) => {
  const { budgets } = (await account.admin.client.get('/accounts/limits')).body;
  return budgets.find((each: { resource: string }) => each.resource === resource);
};

const recordCalls = ({ id }: TestAccount) =>
  platform.database.query('update extensions set record_calls = true where account_id = $1', [id]);

async function placesRecordedCall(account: CallingAccount): Promise<boolean | undefined> {
  const { body } = await account.call();
  platform.clock.advance(1);
  const [call] = await platform.database.query<{ recorded: boolean }>(
    'select recorded from calls where id = $1',
    [body.id],
  );
  return call?.recorded;
}

test('LIMIT-21 a call that starts when the recorded minutes of the day are used is not recorded', async () => {
  const account = await createCallingAccount(platform);
  await recordCalls(account);
  await setDefault('recorded_minutes', 1);
  const isRecorded = () => placesRecordedCall(account);
  expect(await isRecorded()).toBe(true);
  await addStoredRecording(platform, account.id, wav(59));
  expect(await isRecorded()).toBe(true);
  await addStoredRecording(platform, account.id, wav(1));
  expect(await budgetOf(account, 'recorded_minutes')).toMatchObject({ limit: 1, used: 1 });
  expect(await isRecorded()).toBe(false);
  platform.clock.advance(24 * 3600);
  expect(await isRecorded()).toBe(true);
});

test('LIMIT-25 a call that starts when stored recordings use their budget is not recorded, until one is removed', async () => {
  const account = await createCallingAccount(platform);
  await recordCalls(account);
  await setDefault('stored_megabytes', 1);
  const first = await addStoredRecording(platform, account.id, wav(40));
  expect(await placesRecordedCall(account)).toBe(true);
  await addStoredRecording(platform, account.id, wav(30));
  expect(await budgetOf(account, 'stored_megabytes')).toMatchObject({ limit: 1, used: 2 });
  expect(await placesRecordedCall(account)).toBe(false);
  // Not with the next day: the files are still stored.
  platform.clock.advance(24 * 3600);
  expect(await placesRecordedCall(account)).toBe(false);
  await inAccount(platform.api.base.db, account.id, (tx) =>
    markRemoved(tx, account.id, [first], platform.clock.now()),
  );
  expect(await placesRecordedCall(account)).toBe(true);
  expect(await budgetOf(account, 'stored_megabytes')).toMatchObject({ used: 1 });
});

test('LIMIT-25 what is stored is counted once, and deleting rows or accounts leaves the count right', async () => {
  const account = await createAccount(platform);
  const ids = [
    await addStoredRecording(platform, account.id, wav(2)),
    await addStoredRecording(platform, account.id, wav(3)),
    await addStoredRecording(platform, account.id, wav(4)),
  ];
  const { query } = platform.database;
  const counted = async () => {
    const [row] = await query<{ counted: number; stored: number }>(
      `select u.stored_bytes as counted,
              (select coalesce(sum(bytes) filter (where may_have_file), 0) from recordings where account_id = $1) as stored
         from recording_use u where u.account_id = $1`,
      [account.id],
    );
    expect(Number(row?.counted)).toBe(Number(row?.stored));
    return Number(row?.counted);
  };
  expect(await counted()).toBe(9 * 16_000 + 3 * 44);
  await query('update recordings set expires_at = now() where account_id = $1', [account.id]);
  await query('update recordings set may_have_file = false where call_id = $1', [ids[0]]);
  await query('update recordings set may_have_file = false where call_id = $1', [ids[0]]);
  expect(await counted()).toBe(7 * 16_000 + 2 * 44);
  await query('delete from recordings where call_id = any ($1)', [ids.slice(0, 2)]);
  expect(await counted()).toBe(4 * 16_000 + 44);
});

test('LIMIT-25 an upgrade counts the recordings that are stored, and those of the day', async () => {
  const database = await createFormerDatabase('0054', 'test');
  try {
    await database.client.query(
      `insert into recordings (call_id, account_id, state, expected_at, object_key, node, bytes, sha256, duration_ms,
                               stored_at, expires_at, may_have_file)
       select gen_random_uuid(), 1, 'stored', at, 'a', 'm1', 1000, sha256(''), 60000, at, at, has_file
         from (values (now(), true), (now() - interval '2 days', true), (now() - interval '2 days', false)) as r (at, has_file)`,
    );
    await migrate(database.url, undefined);
    const { rows } = await database.client.query(
      'select stored_bytes, recorded_ms from recording_use where account_id = 1',
    );
    expect(rows.map((row) => [Number(row.stored_bytes), Number(row.recorded_ms)])).toEqual([[2_000, 60_000]]);
  } finally {
    await database.drop();
  }
});
