import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../../harness/client.ts';
import { giveCredit } from '../../../harness/fixtures/billing.ts';
import { markRegistered } from '../../../harness/fixtures/extensions.ts';
import type { TestAccount } from '../../../harness/people.ts';
import { until } from '../../../harness/until.ts';
import { liftCaps, listChannels, numberEnding } from '../../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../../harness/voice/voice-platform.ts';
import { ambiguous, emergencyAndShort, hostile, invalid, premium, satellite, service } from './corpus.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  await liftCaps(platform, account);
  line = await platform.addLine(account);
});
afterAll(() => platform.close());

const place = (body: Record<string, unknown> = {}, key?: string, client = account.admin.client) =>
  client.post(
    '/calls',
    { extension: line.ramal, called: numberEnding('17'), ...body },
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );

const summarize = ({ status, body }: Answer): string =>
  status === 200 ? '200' : `${status} ${body.error.errorCode}`;

/** Counts the INVITEs to the destination, over all calls. */
const invitesTo = (number: string) =>
  platform.engines.simulator.carrierCalls().filter((call) => call.number === number).length;

const callsTo = async (number: string, of = account) =>
  (await of.admin.client.list('/calls', { where: { to: number } }, { page: '1' })).body.data as {
    id: string;
  }[];

test('CALL-30 the same key and body get the first response again and place no second call', async () => {
  const [key, called] = [randomUUID(), numberEnding('17')];
  const first = await place({ called }, key);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  await whenCall(account, first.body.id, 'ended');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const again = await place({ called }, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  }
  const after = await place();
  await whenCall(account, after.body.id, 'ended');
  expect(await callsTo(called)).toHaveLength(1);
  expect(invitesTo(called)).toBe(1);
});

test('CALL-30 CALL-18 a rejected call can be retried with its key once the reason is gone', async () => {
  const poor = await platform.addAccount(0);
  const own = await platform.addLine(poor);
  const [key, called] = [randomUUID(), numberEnding('17')];
  const body = { called, extension: own.ramal };
  expect(summarize(await place(body, key, poor.admin.client))).toBe('402 INSUFFICIENT_CREDIT');
  expect(summarize(await place(body, key, poor.admin.client))).toBe('402 INSUFFICIENT_CREDIT');
  expect(own.phone.calls()).toEqual([]);
  await giveCredit(platform, poor.id, 1);
  const placed = await place(body, key, poor.admin.client);
  expect([placed.status, placed.headers['idempotency-replayed']]).toEqual([200, undefined]);
  await whenCall(poor, placed.body.id, 'ended');
  expect(await callsTo(called, poor)).toHaveLength(1);
});

test('CALL-31 a used key with another body returns 422, whichever field differs', async () => {
  const [key, called] = [randomUUID(), numberEnding('17')];
  expect((await place({ called, metadata: { a: 1 } }, key)).status).toBe(200);
  for (const other of [
    { called: numberEnding('17') },
    { called, metadata: { a: 2 } },
    { called, caller: line.ramal },
  ]) {
    expect(summarize(await place({ metadata: { a: 1 }, ...other }, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
  }
  expect(await callsTo(called)).toHaveLength(1);
});

test('CALL-31 a key whose first request is still running returns 409 and places no second call', async () => {
  const [key, called] = [randomUUID(), numberEnding('17')];
  const holding = new pg.Client(platform.database.ownerUrl);
  await holding.connect();
  await holding.query('begin');
  await holding.query('select from ledger_balances where account_id = $1 for update', [account.id]);
  const first = place({ called }, key);
  await until(async () => {
    const waiting = await platform.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }, 'the first request waits');
  const second = await place({ called }, key);
  await holding.query('rollback');
  await holding.end();
  expect([summarize(second), second.headers['retry-after']]).toEqual(['409 IDEMPOTENCY_CONFLICT', '1']);
  const { id } = (await first).body;
  const third = await place({ called }, key);
  expect([third.body.id, third.headers['idempotency-replayed']]).toEqual([id, 'true']);
  await whenCall(account, id, 'ended');
  expect(invitesTo(called)).toBe(1);
});

test('CALL-30 CALL-31 one of many identical concurrent requests places the call', async () => {
  const [key, called] = [randomUUID(), numberEnding('17')];
  const answers = await Promise.all(Array.from({ length: 8 }, () => place({ called }, key)));
  const placed = answers.filter(({ status }) => status === 200);
  expect(new Set(placed.map(({ body }) => body.id)).size).toBe(1);
  expect(placed.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  for (const answer of answers) expect(['200', '409 IDEMPOTENCY_CONFLICT']).toContain(summarize(answer));
  await whenCall(account, placed[0]?.body.id, 'ended');
  expect(await callsTo(called)).toHaveLength(1);
  expect(invitesTo(called)).toBe(1);
});

test('CALL-32 without a key every request is a call; keys are per account', async () => {
  const called = numberEnding('17');
  const [one, two] = [await place({ called }), await place({ called })];
  expect(one.body.id).not.toBe(two.body.id);
  const key = randomUUID();
  const mine = await place({ called }, key);
  const other = await platform.addAccount();
  const theirLine = await platform.addLine(other);
  const theirs = await place({ called, extension: theirLine.ramal }, key, other.admin.client);
  expect([theirs.status, theirs.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect(theirs.body.id).not.toBe(mine.body.id);
  await whenCall(other, theirs.body.id, 'ended');
  expect(await callsTo(called)).toHaveLength(3);
});

test('CALL-18 an account without credit returns 402, and no phone rings', async () => {
  const poor = await platform.addAccount(0.59);
  const own = await platform.addLine(poor);
  const refused = await place({ extension: own.ramal }, undefined, poor.admin.client);
  expect(summarize(refused)).toBe('402 INSUFFICIENT_CREDIT');
  await giveCredit(platform, poor.id, 0.01);
  const placed = await place({ extension: own.ramal }, undefined, poor.admin.client);
  expect(placed.status).toBe(200);
  await whenCall(poor, placed.body.id, 'ended');
  expect(own.phone.calls()).toHaveLength(1);
});

test('CALL-20 unknown and foreign extensions return 404, and no phone rings', async () => {
  const other = await platform.addAccount();
  const foreign = await platform.addLine(other);
  for (const extension of ['99999999', foreign.ramal])
    expect(summarize(await place({ extension }))).toBe('404 NOT_FOUND');
  expect(foreign.phone.calls()).toEqual([]);
});

const nested = (levels: number): Record<string, unknown> =>
  levels === 1 ? { a: 1 } : { a: nested(levels - 1) };
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

test('CALL-34 accepts metadata of 16 kB, 50 keys and 5 levels; more of any returns 422', async () => {
  const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) });
  for (const metadata of [bytes(16 * 1024), keys(50), nested(5), {}]) {
    const placed = await place({ metadata });
    expect(placed.status).toBe(200);
    expect((await whenCall(account, placed.body.id, 'ended')).metadata).toEqual(metadata);
  }
  const before = line.phone.calls().length;
  const tooMany = { a: keys(25), b: keys(25) };
  for (const metadata of [
    bytes(16 * 1024 + 1),
    keys(51),
    tooMany,
    nested(6),
    { a: [[[[[1]]]]] },
    'text',
    [1],
    5,
  ]) {
    const refused = await place({ metadata });
    expect(summarize(refused), JSON.stringify(metadata)?.slice(0, 40)).toBe('422 VALIDATION_ERROR');
  }
  expect(line.phone.calls()).toHaveLength(before);
});

test('COMPAT-03 takes numbers for called and extension, and null for caller and metadata', async () => {
  const [called, extension] = [numberEnding('17'), line.ramal];
  for (const empty of [null, '']) {
    const placed = await place({
      called: Number(called),
      extension: Number(extension),
      caller: empty,
      metadata: empty,
    });
    expect(placed.status).toBe(200);
    expect(await whenCall(account, placed.body.id, 'ended')).toMatchObject({
      from: extension,
      to: called,
      metadata: {},
    });
  }
});

/** Places calls with all bodies on the real engines and returns those whose result is not in `allowed`. */
async function tryAll(bodies: Record<string, unknown>[], allowed: string[]): Promise<string[]> {
  const unexpected = new Set<string>();
  for (const body of bodies) {
    const answer = summarize(await place(body));
    if (!allowed.includes(answer)) unexpected.add(`${JSON.stringify(body).slice(0, 60)}: ${answer}`);
  }
  return [...unexpected];
}

test('CALL-24 CALL-38 only ordinary numbers reach a phone, the engine or the carrier', async () => {
  const seen = () => [
    platform.engines.simulator.carrierCalls().length,
    platform.engines.simulator.phoneCalls().length,
  ];
  const settled = await until(async () => (await listChannels(platform)).length === 0, 'no call is left');
  expect(settled).toBe(true);
  const before = seen();
  const forbidden = [...emergencyAndShort, ...service, ...premium, ...satellite, '351912345678'];
  expect(
    await tryAll(
      forbidden.map((called) => ({ called })),
      ['403 DESTINATION_NOT_ALLOWED'],
    ),
  ).toEqual([]);
  const wrong = [...invalid, ...ambiguous, ...hostile];
  expect(
    await tryAll(
      wrong.map((called) => ({ called })),
      ['422 VALIDATION_ERROR'],
    ),
  ).toEqual([]);
  expect(
    await tryAll(
      hostile.map((extension) => ({ extension })),
      ['422 VALIDATION_ERROR', '404 NOT_FOUND'],
    ),
  ).toEqual([]);
  expect(
    await tryAll(
      hostile.map((caller) => ({ caller })),
      ['422 VALIDATION_ERROR', '403 CALLER_ID_NOT_ALLOWED'],
    ),
  ).toEqual([]);
  expect(await listChannels(platform)).toEqual([]);
  expect(seen()).toEqual(before);
});

test('CALL-38 CALL-06 hostile metadata is returned unchanged and does not affect the engine', async () => {
  const storable = hostile.filter((text) => !text.includes('\0') && text.length < 200);
  const metadata = Object.fromEntries(
    storable.slice(0, 25).map((text, index) => [text, storable[index + 25] ?? text]),
  );
  const [called, before] = [numberEnding('95'), platform.engines.simulator.carrierCalls().length];
  const { id } = (await place({ called, metadata })).body;
  const answered = await whenCall(account, id, 'answered');
  expect(answered.metadata).toEqual(metadata);
  // The engine has only the call's own leg and that of its destination.
  const channels = await listChannels(platform);
  expect(channels).toHaveLength(2);
  expect(channels).toContain(`${id}.a`);
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
  expect(
    platform.engines.simulator
      .carrierCalls()
      .slice(before)
      .map(({ number }) => number),
  ).toEqual([called]);
});

// Runs last, because it moves the clock.
test('CALL-32 after 24 hours a key places a new call', async () => {
  const [key, called] = [randomUUID(), numberEnding('17')];
  const first = await place({ called }, key);
  await whenCall(account, first.body.id, 'ended');
  const replayed = async () => (await place({ called }, key)).headers['idempotency-replayed'];
  platform.clock.advance(24 * 3600 - 60);
  await markRegistered(platform, line.id);
  expect(await replayed()).toBe('true');
  platform.clock.advance(61);
  expect(await replayed()).toBeUndefined();
  expect(await callsTo(called)).toHaveLength(2);
});
