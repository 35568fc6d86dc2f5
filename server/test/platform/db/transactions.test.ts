import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockAccount } from '../../../src/contexts/accounts/account.store.ts';
import { inAccount, inTransaction } from '../../../src/platform/db/database.ts';
import { openJobQueue } from '../../../src/platform/jobs.ts';
import { recordEvent } from '../../../src/platform/outbox.ts';
import { createAccount, logIn, signupBody, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let jobs: Awaited<ReturnType<typeof openJobQueue>>;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  jobs = await openJobQueue(platform.api.base.db, () => undefined);
});
afterAll(async () => {
  await jobs.close();
  await platform.close();
});

const queue = 'mail.send';
const queued = async (marker: string): Promise<number> =>
  (
    await platform.database.query(`select from pgboss.job where name = $1 and data->>'marker' = $2`, [
      queue,
      marker,
    ])
  ).length;
const events = async (type: string) =>
  await platform.database.query(
    'select type, subject_id, data, account_sequence from recorded_events where type = $1',
    [type],
  );

const event = (type: string) => ({
  accountId: account.id,
  type,
  subjectId: account.uuid,
  data: { amount: 1 },
  occurredAt: platform.clock.now(),
});

test('a job and an event exist exactly when their transaction committed', async () => {
  const { db } = platform.api.base;
  const work = (marker: string, end: () => void) =>
    inAccount(db, account.id, async (tx) => {
      await jobs.enqueue(tx, queue, { marker });
      await recordEvent(tx, event(marker));
      end();
    });

  await work('committed', () => undefined);
  const rolledBack = work('rolled-back', () => {
    throw new Error('the state was not kept');
  });
  await expect(rolledBack).rejects.toThrow('the state was not kept');

  expect(await queued('committed')).toBe(1);
  expect(await events('committed')).toEqual([
    { type: 'committed', subject_id: account.uuid, data: { amount: 1 }, account_sequence: null },
  ]);
  expect(await queued('rolled-back')).toBe(0);
  expect(await events('rolled-back')).toEqual([]);
});

test('a job is invisible before its transaction commits', async () => {
  await inTransaction(platform.api.base.db, async (tx) => {
    await jobs.enqueue(tx, queue, { marker: 'unseen' });
    expect(await queued('unseen')).toBe(0);
  });
  expect(await queued('unseen')).toBe(1);
});

test('a sign-up that fails at the last step leaves no account, user, audit entry or mail', async () => {
  const mails = await platform.database.query('select from pgboss.job');
  const { app } = platform.api;
  const original = app.queueMail;
  app.queueMail = async (tx, mail) => {
    await original(tx, mail);
    throw new Error('the mail could not be queued');
  };
  const body = signupBody();
  const answer = await platform.client().post('/accounts/signup', body);
  app.queueMail = original;

  expect(answer.status).toBe(500);
  expect(await platform.database.query('select from accounts where domain = $1', [body.domain])).toEqual([]);
  expect(await platform.database.query('select from users where email = $1', [body.email])).toEqual([]);
  expect(
    await platform.database.query('select from audit_entries where actor_email = $1', [body.email]),
  ).toEqual([]);
  expect(await platform.database.query('select from pgboss.job')).toHaveLength(mails.length);
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
});

test('an account that becomes active records one event, in the same transaction', async () => {
  const body = signupBody();
  await platform.client().post('/accounts/signup', body);
  const [user] = await platform.database.query<{ uuid: string }>('select uuid from users where email = $1', [
    body.email,
  ]);
  const token = platform.api.base.keyRing.sign(
    'confirm-email',
    { user: user?.uuid, email: body.email },
    new Date(Date.now() + 60_000),
  );
  const before = (await events('account-activated')).length;
  for (let times = 0; times < 3; times++)
    await platform.client().get('/accounts/confirm', { query: { token } });
  expect(await events('account-activated')).toHaveLength(before + 1);
});

test('one of two deadlocked transactions is aborted, and its client is asked to retry', async () => {
  const people = [await account.addUser(), await account.addUser()].map(({ uuid }) => uuid);
  const { db } = platform.api.base;
  let meet: () => void = () => undefined;
  const bothHold = new Promise<void>((resolve) => {
    meet = resolve;
  });
  let holding = 0;
  const lockInTurn = (uuids: string[]) =>
    inAccount(db, account.id, async (tx) => {
      for (const [index, uuid] of uuids.entries()) {
        await sql`select from users where uuid = ${uuid} for update`.execute(tx);
        holding += 1;
        if (holding === 2) meet();
        if (index === 0) await bothHold;
      }
    });
  const ends = await Promise.allSettled([lockInTurn(people), lockInTurn(people.toReversed())]);
  const failed = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
  expect(failed).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 }]);
});

test('adding rows does not wait for an update of the account', async () => {
  await inAccount(platform.api.base.db, account.id, async (tx) => {
    await lockAccount(tx, account.id);
    await expect(logIn(platform, account.admin.email)).resolves.toMatchObject({ uuid: account.admin.uuid });
  });
});
