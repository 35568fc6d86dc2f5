import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { countEvents } from '../../../src/main/cli/restore-finish.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCallWithEvents, insertEvent, numberEvents, steps } from '../../harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const day = 24 * 3600;

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
});
beforeEach(async () => {
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 1_000);
});
afterAll(() => platform.close());

const query = (text: string, values: unknown[] = []) => platform.database.query(text, values);

/** Reconciles from ten minutes ago to ten minutes ahead. */
async function reconcile() {
  const now = platform.clock.now().getTime();
  const window = {
    since: new Date(now - 600_000).toISOString(),
    until: new Date(now + 600_000).toISOString(),
  };
  return (await account.admin.client.get('/events/reconcile', { query: window })).body;
}

async function addIntegration(changes: { types?: string[]; constraint?: object } = {}): Promise<number> {
  const { body } = await account.admin.client.patch('/integrations', {
    gateway: 'crm',
    webhook: true,
    webhookConstraint: changes.constraint ?? {},
    metadata: { webhookUrl: 'https://example.com/', webhookTypes: changes.types ?? ['channel-hangup'] },
  });
  return body.id;
}

const deliver = (state = 'delivered') =>
  query(`update deliveries set state = $2, attempts = 1, last_outcome = $3 where account_id = $1`, [
    account.id,
    state,
    state === 'delivered' ? 'delivered' : 'timeout',
  ]);

test('HOOK-20 an answer is found after the recorded end: a restored call ends when its node was last seen', async () => {
  const answeredAt = platform.clock.now();
  const startedAt = new Date(answeredAt.getTime() - 120_000);
  const callId = await insertCallWithEvents(platform, account, { startedAt, types: steps.slice(0, 1) });
  await query('update calls set answered_at = $2, ended_at = $3 where id = $1', [
    callId,
    answeredAt,
    new Date(answeredAt.getTime() - 300_000),
  ]);
  for (const [index, type] of steps.slice(1).entries())
    await insertEvent(platform, account, callId, type, index + 2, answeredAt);
  await numberEvents(platform);
  expect(await reconcile()).toMatchObject({ isClean: true, differences: [] });
});

test('HOOK-20 a consistent account has no differences', async () => {
  await addIntegration();
  await insertCallWithEvents(platform, account);
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  await deliver();
  const report = await reconcile();
  expect(report).toMatchObject({ isClean: true, differences: [], differenceCounts: {} });
  expect(report.counts).toEqual({
    calls: 2,
    callsEnded: 2,
    events: 8,
    eventsNumbered: 8,
    deliveries: 2,
    deliveriesDelivered: 2,
    deliveriesPending: 0,
    deliveriesFailed: 0,
    ledgerEntries: 4,
  });
});

test('reports calls with missing or duplicate events', async () => {
  const callId = await insertCallWithEvents(platform, account, {
    types: ['channel-create', 'channel-answer', 'channel-hangup'],
  });
  await insertEvent(platform, account, callId, 'channel-hangup', 4, platform.clock.now());
  await numberEvents(platform);
  const { differences, differenceCounts, isClean } = await reconcile();
  expect(isClean).toBe(false);
  expect(differenceCounts).toEqual({ event_missing: 1, event_repeated: 1 });
  expect(differences).toMatchObject([
    { kind: 'event_missing', callId, detail: 'call-priced is missing' },
    { kind: 'event_repeated', callId, detail: 'channel-hangup occurs more than once' },
  ]);
});

test('HOOK-21 reports events without a sequence and gaps in the sequence', async () => {
  await insertCallWithEvents(platform, account);
  expect((await reconcile()).differenceCounts).toEqual({ event_without_number: 4 });
  await numberEvents(platform);
  expect((await reconcile()).isClean).toBe(true);
  await query(`update events set account_sequence = 9 where account_id = $1 and account_sequence = 4`, [
    account.id,
  ]);
  const { differences } = await reconcile();
  expect(differences).toMatchObject([
    { kind: 'number_missing', detail: 'no event has a number after 3 and before 9' },
  ]);
});

test('HOOK-20 reports missing and failed deliveries', async () => {
  const integrationId = await addIntegration();
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  expect((await reconcile()).differences).toMatchObject([
    { kind: 'delivery_not_delivered', integrationId, detail: 'channel-hangup is pending after 0 attempts' },
  ]);
  await deliver('failed');
  expect((await reconcile()).differences).toMatchObject([
    { detail: 'channel-hangup is failed after 1 attempts: timeout' },
  ]);
  await query('delete from deliveries where account_id = $1', [account.id]);
  expect((await reconcile()).differences).toMatchObject([
    { kind: 'delivery_missing', integrationId, detail: expect.stringContaining('channel-hangup of ') },
  ]);
});

test('expects no delivery where the integration does not match, is newer or has changed since', async () => {
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  platform.clock.advance(1);
  await addIntegration();
  expect((await reconcile()).isClean).toBe(true);
  await addIntegration({ constraint: { team: 'none' } });
  platform.clock.advance(1);
  await insertCallWithEvents(platform, account);
  await numberEvents(platform);
  expect((await reconcile()).isClean).toBe(true);
});

test('reports a price that differs from its entry and an entry without its call', async () => {
  const [wrong, lost] = [
    await insertCallWithEvents(platform, account),
    await insertCallWithEvents(platform, account),
  ];
  await numberEvents(platform);
  await query('update calls set call_price_micros = call_price_micros + 1 where id = $1', [wrong]);
  await query('delete from calls where id = $1', [lost]);
  const { differences } = await reconcile();
  expect(differences).toContainEqual(expect.objectContaining({ kind: 'price_differs', callId: wrong }));
  const entries = differences.filter(({ kind }: { kind: string }) => kind === 'entry_without_call');
  expect(entries.map(({ callId }: { callId: string }) => callId)).toEqual([lost, lost]);
  expect(differences).toHaveLength(3);
});

test('lists up to 100 differences and counts all', async () => {
  await query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     select gen_random_uuid(), $1, 'charge-paid', n::text, '{}', now() from generate_series(1, 250) n`,
    [account.id],
  );
  const { differences, differenceCounts } = await reconcile();
  expect([differences.length, differenceCounts]).toEqual([100, { event_without_number: 250 }]);
});

test('rejects a window that is empty or too long, and a USER', async () => {
  const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const { client } = account.admin;
  const ask = (since: string, until: string) => client.get('/events/reconcile', { query: { since, until } });
  expect((await ask(at(32 * day), at(0))).status).toBe(422);
  expect((await ask(at(0), at(60))).status).toBe(422);
  expect((await ask('yesterday', at(0))).status).toBe(422);
  expect((await ask('9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999-14:00')).status).toBe(422);
  expect((await ask(at(30 * day), at(0))).status).toBe(200);
  expect((await client.get('/events/reconcile')).status).toBe(200);
  const user = await account.addUser();
  expect((await user.client.get('/events/reconcile')).status).toBe(403);
});

test('after a restore a wrong price is counted behind more than 100 pending deliveries', async () => {
  await addIntegration();
  const wrong = await insertCallWithEvents(platform, account);
  for (let more = 0; more < 101; more += 1)
    await insertEvent(platform, account, wrong, 'channel-hangup', 4 + more, platform.clock.now());
  await numberEvents(platform);
  await query('update calls set call_price_micros = call_price_micros + 1 where id = $1', [wrong]);
  const options = { poolSize: 1, applicationName: 'test', statementTimeoutMs: 60_000 };
  const db = openDatabase({ url: platform.database.ownerUrl, ...options }, () => undefined);
  platform.clock.advance(1);
  const since = new Date(platform.clock.now().getTime() - 600_000);
  const retention = { EVENT_RETENTION_DAYS: 30, DELIVERY_RETENTION_DAYS: 30 };
  const { counts, waiting } = await countEvents({ db, clock: platform.clock }, since, retention);
  await db.close();
  expect(waiting).toBeGreaterThan(100);
  expect(counts).toContainEqual({ accountId: account.id, kind: 'price_differs', count: 1 });
});
