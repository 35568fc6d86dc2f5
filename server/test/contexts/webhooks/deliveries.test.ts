import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepDays } from '../../../src/contexts/webhooks/retention/keep-days.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { insertBalanceEvent } from '../../harness/fixtures/events.ts';
import { createAccount, logIn, type TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import {
  eventTypesIn,
  isSigned,
  type Receiver,
  startReceiver,
  webhooksAbout,
} from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

const hour = 3600;
const day = 24 * hour;

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
let integration: { id: number; secret: string };

beforeAll(async () => {
  platform = await startWebhookPlatform();
  // Starts the worker, which runs replays of windows.
  await platform.mail();
  // A failed delivery is not retried until a test advances the clock.
  platform.clock.freeze();
});
beforeEach(async () => {
  receiver = await startReceiver();
  account = await createAccount(platform);
  integration = await addIntegration(account.admin, receiver.url, ['channel-answer', 'channel-hangup']);
  return () => receiver.stop();
});
afterAll(() => platform.close());

const get = (path: string) => account.admin.client.get(`/integrations/${integration.id}${path}`);
const post = (path: string, body?: unknown) =>
  account.admin.client.post(`/integrations/${integration.id}${path}`, body);
const deliveries = async (filter?: object) =>
  (await account.admin.client.list(`/integrations/${integration.id}/deliveries`, filter, { page: '1' })).body
    .data;

/** Deliveries of the same millisecond are in no particular order. */
const byTypeDownwards = (a: { type: string }, b: { type: string }) => b.type.localeCompare(a.type);

const around = (seconds: number) => {
  const now = platform.clock.now().getTime();
  return {
    since: new Date(now - seconds * 1000).toISOString(),
    until: new Date(now + seconds * 1000).toISOString(),
  };
};

test('HOOK-22 HOOK-26 lists deliveries newest first, with outcome, status and duration of attempts', async () => {
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 500 : 204));
  await runCall(platform, account);
  await platform.untilIdle();
  const items = await deliveries();
  expect(items.map((item: { type: string }) => item.type).sort()).toEqual([
    'channel-answer',
    'channel-hangup',
  ]);
  expect([...items].sort((one, other) => (one.id < other.id ? 1 : -1))).toEqual(items);
  const [failed] = await deliveries({ where: { state: 'pending' } });
  expect(failed).toMatchObject({
    type: 'channel-answer',
    state: 'pending',
    lastOutcome: 'bad_status',
    attemptCount: 1,
    attempts: [{ number: 1, outcome: 'bad_status', status: 500, durationMs: expect.any(Number) }],
    nextAttemptAt: expect.any(String),
    endedAt: null,
  });
  const [delivered] = await deliveries({ where: { type: 'channel-hangup' } });
  expect(delivered).toMatchObject({
    state: 'delivered',
    attempts: [{ outcome: 'delivered', status: 204 }],
    endedAt: expect.any(String),
  });
});

test('HOOK-26 a time filter selects the deliveries of a window', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  const { since, until: end } = around(60);
  expect(await deliveries({ where: { createdAt: { between: [since, end] } } })).toHaveLength(2);
  expect(await deliveries({ where: { created_at: { lt: since } } })).toEqual([]);
});

test('HOOK-26 one delivery has its attempts in full and its request without the signature', async () => {
  const { id } = await runCall(platform, account, { metadata: { deal: 7 } });
  await platform.untilIdle();
  const [listed] = await deliveries({ where: { type: 'channel-hangup' } });
  const { body } = await get(`/deliveries/${listed.id}`);
  const sent = webhooksAbout(receiver, id).find(({ body }) => body.eventType === 'channel-hangup');
  expect(body.webhookId).toBe(sent?.headers['webhook-id']);
  expect(body.attempts).toMatchObject([
    { outcome: 'delivered', status: 204, address: '127.0.0.1', detail: null },
  ]);
  expect(body.request.headers['webhook-signature']).toBe('v1,[redacted]');
  expect(body.request.body).toMatchObject({ id, metadata: { deal: 7 }, eventType: 'channel-hangup' });
  expect(Object.keys(body.request.body)).toEqual(Object.keys(sent?.body));
  expect(JSON.stringify(body)).not.toContain(sent?.headers['webhook-signature']?.slice(3));
});

test('HOOK-26 a delivery is sent again with the same webhook-id, and signed', async () => {
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  const [listed] = await deliveries({ where: { type: 'channel-hangup' } });
  const { body, status } = await post(`/deliveries/${listed.id}/replay`);
  expect([status, body.state]).toEqual([200, 'pending']);
  await platform.untilIdle();
  const hangupWebhooks = webhooksAbout(receiver, id).filter(
    ({ body }) => body.eventType === 'channel-hangup',
  );
  expect(hangupWebhooks).toHaveLength(2);
  expect(hangupWebhooks[1]?.headers['webhook-id']).toBe(hangupWebhooks[0]?.headers['webhook-id']);
  expect(hangupWebhooks[1] && isSigned(hangupWebhooks[1], integration.secret)).toBe(true);
  expect((await get(`/deliveries/${listed.id}`)).body).toMatchObject({ state: 'delivered', attemptCount: 2 });
});

test('HOOK-26 replaying a delivery that awaits a retry sends it once and restarts its schedule', async () => {
  receiver.answer(() => 500);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  const [listed] = await deliveries({ where: { type: 'channel-hangup' } });
  // Paused, so that both requests arrive before the attempt.
  await platform.pause();
  await post(`/deliveries/${listed.id}/replay`);
  await post(`/deliveries/${listed.id}/replay`);
  platform.resume();
  await platform.untilIdle();
  const hangups = () => webhooksAbout(receiver, id).filter(({ body }) => body.eventType === 'channel-hangup');
  expect(hangups()).toHaveLength(2);
  receiver.answer(() => 204);
  // The job of the first schedule also runs, and finds that its attempt was already made.
  platform.advance(10);
  await platform.untilIdle();
  expect(hangups()).toHaveLength(3);
  expect((await get(`/deliveries/${listed.id}`)).body).toMatchObject({ state: 'delivered', attemptCount: 3 });
});

test('HOOK-22 HOOK-27 a window is sent again with the same ids, whatever the outcomes were', async () => {
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 500 : 204));
  const calls = [await runCall(platform, account), await runCall(platform, account)];
  await platform.untilIdle();
  receiver.answer(() => 204);
  const before = receiver.received.length;
  const { body, status } = await post('/replay', around(hour));
  expect([status, body.events]).toEqual([200, expect.any(Number)]);
  await until(() => receiver.received.length >= before + 4, 'the window was replayed');
  await platform.untilIdle();
  for (const { id } of calls) {
    const received = webhooksAbout(receiver, id);
    expect(eventTypesIn(received)).toEqual([
      'channel-answer',
      'channel-answer',
      'channel-hangup',
      'channel-hangup',
    ]);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  }
  expect(await deliveries({ where: { state: { neq: 'delivered' } } })).toEqual([]);
});

test('HOOK-27 replays only the requested types', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  expect((await post('/replay', { ...around(hour), types: ['channel-answer'] })).body).toEqual({ events: 1 });
  await until(() => receiver.received.length >= 3, 'the window was replayed');
  await platform.untilIdle();
  expect(eventTypesIn(receiver.received)).toEqual(['channel-answer', 'channel-answer', 'channel-hangup']);
});

test('HOOK-27 a replay sends a newer integration the events from before its creation', async () => {
  const { id } = await runCall(platform, account, { metadata: { team: 'a' } });
  await runCall(platform, account, { metadata: { team: 'b' } });
  await platform.untilIdle();
  const late = await startReceiver();
  const constraint = { gateway: 'late', webhookConstraint: { team: 'a' } };
  const added = await addIntegration(account.admin, late.url, ['channel-hangup'], constraint);
  await account.admin.client.post(`/integrations/${added.id}/replay`, around(hour));
  await until(() => late.received.length > 0, 'it was delivered');
  await platform.untilIdle();
  expect(late.received.map(({ body }) => [body.id, body.eventType])).toEqual([[id, 'channel-hangup']]);
  expect(late.received[0]?.headers['webhook-id']).toBe(
    webhooksAbout(receiver, id).find(({ body }) => body.eventType === 'channel-hangup')?.headers[
      'webhook-id'
    ],
  );
  await late.stop();
});

test('HOOK-22 HOOK-27 events older than 30 days cannot be replayed', async () => {
  const { since } = around(30 * day + 60);
  const { status, body } = await post('/replay', { since, until: around(0).until });
  expect([status, body.error.details[0].path]).toEqual([422, 'since']);
  expect((await post('/replay', { since: around(0).until, until: around(60).since })).status).toBe(422);
  for (const path of ['/replay', '/explain']) {
    const early = { since: '0001-01-01T00:00:00Z', until: '0001-01-02T00:00:00Z' };
    const late = { since: '9999-12-31T00:00:00Z', until: '9999-12-31T23:59:59.999-14:00' };
    expect([(await post(path, early)).status, (await post(path, late)).status]).toEqual([422, 422]);
  }
});

test('a disabled webhook is not replayed', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  const [listed] = await deliveries();
  await platform.database.query('update integrations set disabled_at = now() where id = $1', [
    integration.id,
  ]);
  for (const answer of [await post(`/deliveries/${listed.id}/replay`), await post('/replay', around(hour))]) {
    expect([answer.status, answer.body.error.errorCode]).toEqual([409, 'WEBHOOK_DISABLED']);
  }
});

test('HOOK-26 only the owner can read or replay the deliveries of an integration', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  const [listed] = await deliveries();
  const colleague = await account.addUser('ADMIN');
  const path = `/integrations/${integration.id}`;
  const answers = [
    await colleague.client.get(`${path}/deliveries?page=1`),
    await colleague.client.get(`${path}/deliveries/${listed.id}`),
    await colleague.client.post(`${path}/deliveries/${listed.id}/replay`),
    await colleague.client.post(`${path}/replay`, around(hour)),
    await colleague.client.post(`${path}/test`, { type: 'channel-hangup' }),
    await colleague.client.post(`${path}/explain`, around(hour)),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
});

test.each([
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'call-priced',
  'recording-ready',
  'charge-paid',
  'balance-low',
])('HOOK-28 a sample of %s is sent immediately, signed, and its outcome is returned', async (type) => {
  const { body, status } = await post('/test', { type });
  expect([status, body.outcome, body.status]).toEqual([200, 'delivered', 204]);
  const [sent] = receiver.received;
  expect(sent?.body).toMatchObject({ eventType: type, domain: account.domain, version: '1.8' });
  expect(sent?.body.test ?? sent?.body.metadata.test).toBe(true);
  expect(body.request.body).toEqual(sent?.body);
  expect(sent && isSigned(sent, integration.secret)).toBe(true);
});

test('HOOK-39 a test is listed as a delivery with its sample, and is neither replayed nor part of the health', async () => {
  receiver.answer(() => 503);
  await post('/test', { type: 'channel-hangup' });
  receiver.answer(() => 204);
  const { body: answer } = await post('/test', { type: 'charge-paid' });
  const listed = (await deliveries()).sort(byTypeDownwards);
  expect(listed).toMatchObject([
    { type: 'charge-paid', state: 'delivered', isTest: true, failed: false, call: null },
    { type: 'channel-hangup', state: 'failed', isTest: true, failed: true, call: null },
  ]);
  expect(listed[1].attempts).toMatchObject([{ number: 1, outcome: 'bad_status', status: 503 }]);
  const { body: read } = await get(`/deliveries/${listed[0].id}`);
  expect(read).toMatchObject({ isTest: true, webhookId: answer.request.headers['webhook-id'] });
  expect(read.request).toEqual(answer.request);
  expect((await get(`/deliveries/${listed[1].id}`)).body.request.body).toEqual(receiver.received[0]?.body);
  expect((await post(`/deliveries/${listed[0].id}/replay`)).status).toBe(404);
  const { body: health } = await account.admin.client.get('/integrations/health');
  expect(health).toMatchObject([
    { state: 'waiting', lastFailure: null, recent: { delivered: 0, failed: 0 } },
  ]);
  await runCall(platform, account);
  await platform.untilIdle();
  expect((await deliveries({ where: { isTest: false } })).length).toBe(2);
});

test('HOOK-38 deliveries name their call and can be listed by it', async () => {
  const calls = [await runCall(platform, account), await runCall(platform, account)];
  await platform.untilIdle();
  const [first, second] = calls;
  const ofCall = async (callId: string, filter?: object) =>
    (
      await account.admin.client.list(`/integrations/${integration.id}/deliveries`, filter, {
        page: '1',
        callId,
      })
    ).body.data;
  const found = (await ofCall(first?.id ?? '')).sort(byTypeDownwards);
  expect(found.map(({ type }: { type: string }) => type)).toEqual(['channel-hangup', 'channel-answer']);
  const { body: call } = await account.admin.client.get(`/calls/${first?.id}`);
  const named = { id: first?.id, callType: 'outbound', from: call.from, to: call.to };
  expect(found).toMatchObject([{ call: named }, { call: named }]);
  expect(await ofCall(second?.id ?? '', { where: { type: 'channel-answer' } })).toMatchObject([
    { type: 'channel-answer', call: { id: second?.id } },
  ]);
  expect((await get(`/deliveries/${found[0].id}`)).body.call).toEqual(named);
  const other = await createAccount(platform);
  const foreign = await runCall(platform, other);
  for (const callId of [foreign.id, uuidv7(platform.clock.now()), 'none']) {
    const response = await account.admin.client.list(
      `/integrations/${integration.id}/deliveries`,
      undefined,
      { page: '1', callId },
    );
    expect(response.status).toBe(404);
  }
  const all = await deliveries();
  expect(new Set(all.map((each: { call: { id: string } }) => each.call.id))).toEqual(
    new Set(calls.map(({ id }) => id)),
  );
});

test('bug: HOOK-38 PERM-04 a delivery shows neither call, request nor response of a call that its owner no longer sees', async () => {
  const user = await account.addUser('ADMIN');
  const own = await addIntegration(user, receiver.url, ['channel-hangup']);
  // Many endpoints return what they received.
  receiver.answer(({ text }) => ({ status: 200, body: text }));
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  let client = user.client;
  const readAll = async () => {
    const path = `/integrations/${own.id}/deliveries`;
    const { body } = await client.list(path, undefined, { page: '1' });
    const whole = body.data.map(
      async (listed: { id: string }) => (await client.get(`${path}/${listed.id}`)).body,
    );
    return { listed: body.data, whole: await Promise.all(whole) };
  };
  const named = { id, callType: 'outbound', from: expect.any(String), to: expect.any(String) };
  const before = await readAll();
  expect(before.listed).toMatchObject([{ call: named }]);
  expect(before.whole).toMatchObject([
    { call: named, request: { body: { id } }, attempts: [{ responseBody: expect.stringContaining(id) }] },
  ]);
  await account.admin.client.patch('/users', { uuid: user.uuid, role: 'USER' });
  const permissions = { calls: 'own', recordings: 'own', money: false, webhooks: true, supervision: false };
  await account.admin.client.request('PUT', `/users/${user.uuid}/permissions`, { body: permissions });
  // A change of role ends the sessions.
  ({ client } = await logIn(platform, user.email));
  const after = await readAll();
  expect(after.listed).toMatchObject([{ call: null }]);
  expect(after.whole).toMatchObject([
    { call: null, request: null, attempts: [{ outcome: 'delivered', status: 200, responseBody: null }] },
  ]);
  expect(JSON.stringify(after)).not.toContain(id);
});

test('bug: HOOK-38 PERM-08 a delivery about money shows its request and response to those who see money', async () => {
  const user = await account.addUser('ADMIN');
  const own = await addIntegration(user, receiver.url, ['balance-low']);
  receiver.answer(({ text }) => ({ status: 200, body: text }));
  await insertBalanceEvent(platform, account);
  await platform.untilIdle();
  await account.admin.client.patch('/users', { uuid: user.uuid, role: 'USER' });
  const { client } = await logIn(platform, user.email);
  const path = `/integrations/${own.id}/deliveries`;
  const [listed] = (await client.list(path, undefined, { page: '1' })).body.data;
  const readWith = async (money: boolean) => {
    const permissions = { calls: 'own', recordings: 'own', money, webhooks: true, supervision: false };
    await account.admin.client.request('PUT', `/users/${user.uuid}/permissions`, { body: permissions });
    return (await client.get(`${path}/${listed.id}`)).body;
  };
  expect(await readWith(false)).toMatchObject({ request: null, attempts: [{ responseBody: null }] });
  expect(await readWith(true)).toMatchObject({
    request: { body: { eventType: 'balance-low', available: 9.5 } },
    attempts: [{ responseBody: expect.stringContaining('9.5') }],
  });
});

test('HOOK-40 failed deliveries are found, retried or not, behind many that succeeded', async () => {
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 500 : 204));
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  await platform.database.query(
    `insert into deliveries (id, account_id, integration_id, event_id, type, state, attempts, last_outcome, created_at, ended_at)
     select uuidv7_at($3), $1, $2, uuidv7_at($3), 'channel-hangup', 'delivered', 1, 'delivered', $3, $3
       from generate_series(1, 5000)`,
    [account.id, integration.id, platform.clock.now()],
  );
  const failed = await deliveries({ where: { failed: true } });
  expect(failed).toMatchObject([{ type: 'channel-answer', state: 'pending', failed: true, call: { id } }]);
  receiver.answer(() => 204);
  platform.advance(10);
  await platform.untilIdle();
  expect(await deliveries({ where: { failed: true } })).toEqual([]);
  expect(await deliveries({ where: { failed: false }, limit: 1 })).toHaveLength(1);
});

test('a partition is created for a day whose deliveries are in the default partition', async () => {
  const later = { now: () => new Date(platform.clock.now().getTime() + 60 * day * 1000) };
  const at = later.now();
  const id = uuidv7(at);
  await platform.database.query(
    `insert into deliveries (id, account_id, integration_id, event_id, type, state, created_at)
     select $1, $2, min(id), $1, 'channel-hangup', 'delivered', $3 from integrations where account_id = $2`,
    [id, account.id, at],
  );
  await platform.database.query(
    `insert into delivery_attempts (delivery_id, number, account_id, at, duration_ms, outcome)
     values ($1, 1, $2, $3, 5, 'delivered')`,
    [id, account.id, at],
  );
  const partitions = () =>
    platform.database.query(
      `select d.tableoid::regclass::text as delivery, a.tableoid::regclass::text as attempt
         from deliveries d join delivery_attempts a on a.delivery_id = d.id where d.id = $1`,
      [id],
    );
  expect(await partitions()).toEqual([
    { delivery: 'deliveries_default', attempt: 'delivery_attempts_default' },
  ]);
  await keepDays({ ...platform.api.base, clock: later });
  const suffix = at.toISOString().slice(0, 10).replaceAll('-', '_');
  expect(await partitions()).toEqual([
    { delivery: `deliveries_${suffix}`, attempt: `delivery_attempts_${suffix}` },
  ]);
  const [options] = await platform.database.query<{ options: string[] }>(
    `select reloptions as options from pg_class where relname = $1`,
    [`deliveries_${suffix}`],
  );
  expect(options?.options).toEqual(['fillfactor=50']);
});

test('bug: HOOK-21 HOOK-28 a sample is numbered as in a call, and only an ended one names who ended it', async () => {
  const samples: Record<string, { sequence: number; endedBy: string | null }> = {};
  const ofCalls = ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup', 'call-priced'];
  for (const type of [...ofCalls, 'recording-ready']) {
    const { sequence, endedBy } = (await post('/test', { type })).body.request.body;
    samples[type] = { sequence, endedBy };
  }
  expect(samples).toEqual({
    'channel-create': { sequence: 1, endedBy: null },
    'channel-ringing': { sequence: 2, endedBy: null },
    'channel-answer': { sequence: 3, endedBy: null },
    'channel-hangup': { sequence: 4, endedBy: 'destination' },
    'call-priced': { sequence: 5, endedBy: 'destination' },
    'recording-ready': { sequence: 6, endedBy: 'destination' },
  });
});

test('HOOK-28 a failed test returns the reason', async () => {
  receiver.answer(() => 503);
  expect((await post('/test', { type: 'channel-hangup' })).body).toMatchObject({
    outcome: 'bad_status',
    status: 503,
  });
  await receiver.stop();
  expect((await post('/test', { type: 'channel-hangup' })).body).toMatchObject({
    outcome: 'connect_failed',
    status: null,
  });
  expect((await post('/test', { type: 'channel-sneeze' })).status).toBe(422);
});

test('HOOK-08 explain returns how many calls match and why the others do not', async () => {
  const constraint = { gateway: 'explained', webhookConstraint: { metadata: { gateway: 'y', tier: 1 } } };
  integration = await addIntegration(account.admin, receiver.url, ['channel-answer'], constraint);
  await runCall(platform, account, { metadata: { gateway: 'y', tier: 1, more: true } });
  const wrong = await runCall(platform, account, { metadata: { gateway: 'x', tier: 1 } });
  const missing = await runCall(platform, account, { metadata: { gateway: 'y' } });
  const silent = await runCall(platform, account, { metadata: { gateway: 'y', tier: 1 }, seconds: 0 });
  const { body } = await post('/explain', around(hour));
  expect(body).toMatchObject({ calls: 4, isComplete: true, matched: 1, unmatched: 3 });
  const pickReasons = ({ id }: { id: string }) =>
    body.sample
      .find(({ callId }: { callId: string }) => callId === id)
      .reasons.map(({ message }: { message: string }) => message);
  expect(pickReasons(wrong)).toEqual(['`metadata.gateway` is `x`, the constraint requires `y`']);
  expect(pickReasons(missing)).toEqual(['`metadata.tier` is missing, the constraint requires `1`']);
  expect(pickReasons(silent)).toEqual([expect.stringContaining('`webhookTypes` lists `channel-answer`')]);
  expect(body.reasons).toEqual(
    expect.arrayContaining([
      { code: 'constraint', path: 'metadata.gateway', calls: 1 },
      { code: 'constraint', path: 'metadata.tier', calls: 1 },
      { code: 'type_not_listed', path: 'metadata.webhookTypes', calls: 1 },
    ]),
  );
});

test('HOOK-04 HOOK-25 explain covers calls of others that a USER sees, and a webhook that is off', async () => {
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const user = await account.addUser();
  const own = await addIntegration(user, receiver.url, ['channel-hangup']);
  await runCall(platform, account);
  const explain = () => user.client.post(`/integrations/${own.id}/explain`, around(hour));
  expect((await explain()).body.reasons).toEqual([{ code: 'not_your_call', path: null, calls: 1 }]);
  await user.client.patch('/integrations', { id: own.id, webhook: false });
  expect((await explain()).body.reasons).toContainEqual({ code: 'webhook_off', path: 'webhook', calls: 1 });
});

test('daily partitions of deliveries are created ahead and dropped after 30 days', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  const days = async () =>
    (
      await platform.database.query<{ day: string }>(
        `select right(relname, 10) as day from pg_class where relname ~ '^deliveries_\\d{4}_\\d{2}_\\d{2}$' order by 1`,
      )
    ).map(({ day: name }) => name);
  const partitionName = (seconds: number) =>
    new Date(platform.clock.now().getTime() + seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '_');
  const today = partitionName(0);
  await keepDays(platform.api.base);
  expect(await days()).toEqual(expect.arrayContaining([today, partitionName(7 * day)]));
  const later = { now: () => new Date(platform.clock.now().getTime() + 31 * day * 1000) };
  await keepDays({ ...platform.api.base, clock: later });
  expect(await days()).not.toContain(today);
  expect(await days()).toContain(partitionName(38 * day));
  expect(await deliveries()).toEqual([]);
});
