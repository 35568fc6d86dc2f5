import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFeed } from '../../../src/contexts/events/feed.store.ts';
import { keepEventDays } from '../../../src/contexts/events/keep-days.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { secondsAfter } from '../../../src/platform/time.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCallWithEvents, insertEvent, numberEvents } from '../../harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const day = 24 * 3600;
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 1_000);
});
afterAll(() => platform.close());

const partitions = async (): Promise<string[]> =>
  (
    await platform.database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
    )
  ).map(({ name }) => name);

const partitionOf = (days: number): string =>
  `events_${secondsAfter(platform.clock.now(), days * day)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '_')}`;

/** The number of the account's events in each partition, without empty ones. */
const countByPartition = async (): Promise<Record<string, number>> => {
  const rows = await platform.database.query<{ name: string; count: number }>(
    `select tableoid::regclass::text as name, count(*)::int from events where account_id = $1 group by 1`,
    [account.id],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

const readSequences = async (): Promise<number[]> => {
  const { body } = await account.admin.client.get('/events');
  return body.data.map(({ sequence }: { sequence: number }) => sequence);
};

test('HOOK-32 a partition is created ahead for each day, with the events logged before it existed', async () => {
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  expect(await countByPartition()).toEqual({ events_default: 4 });
  await keepEventDays(platform.api.base);
  const ahead = [0, 1, 2, 3].map(partitionOf);
  expect(await partitions()).toEqual([...ahead, 'events_default'].toSorted());
  expect(await countByPartition()).toEqual({ [partitionOf(0)]: 4 });
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  expect(await countByPartition()).toEqual({ [partitionOf(0)]: 8 });
  expect(await readSequences()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('an event is written to the log once, with its number, and leaves the outbox', async () => {
  await insertCallWithEvents(platform, account);
  // Counted in the transaction: the statistics of all connections are up to 10 s old.
  const client = new pg.Client({ connectionString: platform.database.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select number_events(10000, $1)', [platform.clock.now()]);
  const { rows } = await client.query(
    `select sum(n_tup_ins)::int as inserted, sum(n_tup_upd + n_tup_del)::int as changed,
            (select count(*)::int from event_outbox) as waiting
       from pg_stat_xact_user_tables where relname ~ '^events_'`,
  );
  await client.query('commit');
  await client.end();
  expect(rows).toEqual([{ inserted: 4, changed: 0, waiting: 0 }]);
});

test('the database refuses a number twice in a day and an event without a number', async () => {
  const copy = (columns: string) =>
    platform.database.query(
      `insert into events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
       select ${columns} from events where account_id = $1 and account_sequence = 1`,
      [account.id],
    );
  const rest = 'account_id, type, subject_id, data, occurred_at';
  await expect(copy(`uuidv7_at(occurred_at), ${rest}, account_sequence`)).rejects.toThrow('duplicate key');
  await expect(copy(`uuidv7_at(occurred_at), ${rest}, null`)).rejects.toThrow('events_numbered');
});

test('following the log and loading a delivery lock the partitions of a day or two, not all', async () => {
  await platform.database.query('select make_event_days(current_date - 60, current_date)');
  const fresh = await createAccount(platform);
  await giveCredit(platform, fresh.id, 1_000);
  const insertAt = async (at: Date) => {
    const callId = await insertCallWithEvents(platform, fresh, { types: [] });
    await insertEvent(platform, fresh, callId, 'channel-create', 1, at);
    await numberEvents(platform);
  };
  const read = async (after: number) =>
    await inAccount(platform.api.base.db, fresh.id, async (tx) => {
      const query = { accountId: fresh.id, reader: undefined, after, limit: 10, maxScanned: 10 };
      const { events } = await readFeed(tx, query);
      const sequences = events.map(({ accountSequence }) => accountSequence);
      await sql`select find_events(${events.map(({ id }) => id)})`.execute(tx);
      const { rows } = await sql<{ partitions: number }>`
        select count(distinct relation)::int as partitions from pg_locks
         where pid = pg_backend_pid() and relation::regclass::text ~ '^events_(default|[0-9_]+)$'`.execute(
        tx,
      );
      return { sequences, partitions: rows[0]?.partitions ?? 0 };
    });
  const now = new Date();
  for (const at of [secondsAfter(now, -2), secondsAfter(now, -1)]) await insertAt(at);
  expect((await read(0)).sequences).toEqual([1, 2]);
  for (const after of [0, 1, 2, 7]) expect((await read(after)).partitions).toBeLessThanOrEqual(2);
  // An event that was recorded late has its number, and is found in the partition of its day.
  await insertAt(secondsAfter(now, -40 * day));
  await insertAt(now);
  expect((await read(1)).sequences).toEqual([2, 3, 4]);
  expect((await read(2)).sequences).toEqual([3, 4]);
  expect(await read(3)).toMatchObject({ sequences: [4] });
  expect((await read(3)).partitions).toBeLessThanOrEqual(2);
});

test('HOOK-32 whole days are dropped after 90 days; an event without a number stays', async () => {
  const today = partitionOf(0);
  const callId = await insertCallWithEvents(platform, account, { types: [] });
  await insertEvent(platform, account, callId, 'channel-create', 1, platform.clock.now());
  platform.clock.advance(90 * day);
  await keepEventDays(platform.api.base);
  expect(await partitions()).toContain(today);
  expect((await countByPartition())[today]).toBe(12);
  platform.clock.advance(day);
  await keepEventDays(platform.api.base);
  expect(await partitions()).not.toContain(today);
  expect(await countByPartition()).toEqual({});
  await numberEvents(platform);
  // The next number follows the dropped ones.
  expect(
    await platform.database.query('select account_sequence as n from events where account_id = $1', [
      account.id,
    ]),
  ).toEqual([{ n: 13 }]);
});

test('a reader that holds the log delays the drop, and does not block numbering for long', async () => {
  platform.clock.advance(3 * day);
  const reader = new pg.Client({ connectionString: platform.database.ownerUrl });
  await reader.connect();
  await reader.query('begin; select from events');
  const keeping = expect(keepEventDays(platform.api.base)).rejects.toThrow(/lock timeout/);
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  await keeping;
  await reader.query('commit');
  await reader.end();
  await keepEventDays(platform.api.base);
  expect(await countByPartition()).toMatchObject({ [partitionOf(0)]: 4 });
});

test('deleting an account deletes its events, numbered or not', async () => {
  const { id } = await createAccount(platform);
  const insert = () =>
    platform.database.query(
      `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
       values (uuidv7_at(now()), $1, 'test', 'x', '{}', now())`,
      [id],
    );
  await insert();
  await numberEvents(platform);
  await insert();
  const count = async () =>
    (await platform.database.query('select from recorded_events where account_id = $1', [id])).length;
  expect(await count()).toBeGreaterThanOrEqual(2);
  await platform.database.query('delete from accounts where id = $1', [id]);
  expect(await count()).toBe(0);
  // An event of a deleted account does not stop the numbering of the others.
  await insert();
  await insertCallWithEvents(platform, account, { types: ['channel-create'] });
  await numberEvents(platform);
  expect((await platform.database.query('select from event_outbox')).length).toBe(0);
});
