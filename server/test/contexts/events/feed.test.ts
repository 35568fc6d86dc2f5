import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepEventDays } from '../../../src/contexts/events/keep-days.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCallWithEvents, insertEvent, numberEvents, steps } from '../../harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let callId: string;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  account = await newAccount();
  callId = await insertCallWithEvents(platform, account, { metadata: { deal: 7 } });
  await numberEvents(platform);
});
afterAll(() => platform.close());

async function newAccount(): Promise<TestAccount> {
  const fresh = await createAccount(platform);
  await giveCredit(platform, fresh.id, 1_000);
  return fresh;
}

interface Item {
  sequence: number;
  type: string;
  id: string;
  data: Record<string, unknown>;
}
const pickSequences = (items: Item[]) => items.map(({ sequence }) => sequence);

test('HOOK-21 the feed returns every event in sequence order, with the body of its webhook', async () => {
  const { body } = await account.admin.client.get('/events');
  const items = body.data as Item[];
  expect(items.map(({ type }) => type)).toEqual(steps);
  expect(pickSequences(items)).toEqual([1, 2, 3, 4]);
  expect(body.meta).toEqual({ nextAfter: 4 });
  const hangup = items[2] as Item;
  expect(hangup.id).toMatch(/^msg_[0-9a-f-]{36}$/);
  expect(hangup.data).toMatchObject({
    version: '1.8',
    eventType: 'channel-hangup',
    id: callId,
    domain: account.domain,
    sequence: 3,
    accountSequence: 3,
    hangupCause: 'NORMAL_CLEARING',
    hangupCauseCode: '16',
    metadata: { deal: 7 },
  });
  expect(items[1]?.data).not.toHaveProperty('endedAt');
});

test('the feed continues after the given sequence, up to the limit', async () => {
  const { client } = account.admin;
  const first = (await client.get('/events?limit=3')).body;
  expect([pickSequences(first.data), first.meta.nextAfter]).toEqual([[1, 2, 3], 3]);
  const second = (await client.get('/events?limit=3&after=3')).body;
  expect([pickSequences(second.data), second.meta.nextAfter]).toEqual([[4], 4]);
  const third = (await client.get('/events?after=4')).body;
  expect([third.data, third.meta.nextAfter]).toEqual([[], 4]);
});

test('an event without a sequence is not returned yet', async () => {
  const fresh = await newAccount();
  await insertCallWithEvents(platform, fresh);
  expect((await fresh.admin.client.get('/events')).body.data).toEqual([]);
  await numberEvents(platform);
  expect((await fresh.admin.client.get('/events')).body.data).toHaveLength(4);
});

test('a USER gets only the events of their own calls, but the account’s position', async () => {
  const fresh = await newAccount();
  const [own, other] = [await fresh.addUser(), await fresh.addUser()];
  const mine = await insertCallWithEvents(platform, fresh, { owner: own });
  await insertCallWithEvents(platform, fresh, { owner: other });
  await numberEvents(platform);
  const { data, meta } = (await own.client.get('/events')).body;
  expect(new Set(data.map((item: Item) => item.data.id))).toEqual(new Set([mine]));
  expect([data.length, meta.nextAfter]).toEqual([4, 8]);
  expect((await fresh.admin.client.get('/events')).body.data).toHaveLength(8);
});

test('billing events are visible to ADMINs, not to USERs', async () => {
  const fresh = await newAccount();
  await platform.database.query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     values (gen_random_uuid(), $1, 'charge-paid', '17', '{"id": 17, "amount": 50}', now())`,
    [fresh.id],
  );
  await numberEvents(platform);
  const [item] = (await fresh.admin.client.get('/events')).body.data;
  expect(item.data).toMatchObject({ eventType: 'charge-paid', id: 17, amount: 50, accountSequence: 1 });
  const user = await fresh.addUser();
  expect((await user.client.get('/events')).body).toEqual({ data: [], meta: { nextAfter: 1 } });
});

test('TOKEN-19 a recording event has its call and a working link, with the scope recordings', async () => {
  const fresh = await newAccount();
  const recorded = await insertCallWithEvents(platform, fresh, { recorded: true, types: [] });
  await platform.database.query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     values (gen_random_uuid(), $1, 'recording-ready', $2, jsonb_build_object('id', $2::text), now())`,
    [fresh.id, recorded],
  );
  await numberEvents(platform);
  const [item] = (await fresh.admin.client.get('/events')).body.data;
  expect(item.data).toMatchObject({ id: recorded, called: '5511987654321', hangupCause: 'NORMAL_CLEARING' });
  expect(item.data.recordUrl).toMatch(/\/recordings\/.*signature=/);
  const linkFor = async (scopes: string[]) => {
    const { id } = (await fresh.admin.client.post('/users/accessTokens', { scopes })).body;
    return (await platform.client(id).get('/events')).body.data[0].data.recordUrl;
  };
  expect(await linkFor(['webhooks'])).toBeNull();
  expect(await linkFor(['webhooks', 'recordings'])).toContain('/recordings/');
});

test('an empty response waits for new events', async () => {
  const fresh = await newAccount();
  const waiting = fresh.admin.client.get('/events?wait=25');
  await insertCallWithEvents(platform, fresh);
  await numberEvents(platform);
  const startedAt = performance.now();
  const { body } = await waiting;
  expect(body.data.length).toBeGreaterThan(0);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('waits for visible events only, and no longer than requested', async () => {
  const fresh = await newAccount();
  const user = await fresh.addUser();
  await insertCallWithEvents(platform, fresh);
  await numberEvents(platform);
  const { body } = await user.client.get('/events?wait=1');
  expect(body).toEqual({ data: [], meta: { nextAfter: 4 } });
});

test('a token revoked while it waits gets no further events', async () => {
  const fresh = await newAccount();
  const waiting = fresh.admin.client.get('/events?wait=25');
  await platform.database.query('delete from access_tokens where account_id = $1', [fresh.id]);
  await insertCallWithEvents(platform, fresh);
  await numberEvents(platform);
  expect((await waiting).status).toBe(401);
});

test.each([['after=-1'], ['after=x'], ['limit=0'], ['limit=501'], ['wait=26'], ['wait=1.5']])(
  'rejects %s',
  async (query) => {
    expect((await account.admin.client.get(`/events?${query}`)).status).toBe(422);
  },
);

test('events are removed after 90 days, except those without a sequence', async () => {
  const fresh = await newAccount();
  const old = new Date(platform.clock.now().getTime() - 91 * 24 * 3600 * 1000);
  const call = await insertCallWithEvents(platform, fresh, { types: [] });
  await insertEvent(platform, fresh, call, 'channel-create', 1, old);
  await numberEvents(platform);
  await insertEvent(platform, fresh, call, 'channel-hangup', 2, old);
  await insertEvent(platform, fresh, call, 'call-priced', 3, platform.clock.now());
  await keepEventDays(platform.api.base);
  const left = await platform.database.query<{ type: string }>(
    'select type from recorded_events where account_id = $1 order by type',
    [fresh.id],
  );
  expect(left.map(({ type }) => type)).toEqual(['call-priced', 'channel-hangup']);
});
