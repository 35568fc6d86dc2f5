import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumCalls } from '../../../../src/contexts/calls/summary/sum-calls.ts';
import { wallTime } from '../../../../src/platform/time.ts';
import { type CallRow, insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { expectedSummary } from './summary-model.ts';

let platform: Platform;
let account: TestAccount;
let calls: (Partial<CallRow> & { startedAt: Date })[];

const hour = 3_600_000;
const noon = Math.floor(Date.now() / (24 * hour)) * 24 * hour + 12 * hour;
const at = (hours: number) => new Date(noon + hours * hour);
const causes = ['NORMAL_CLEARING', 'USER_BUSY', 'NO_ANSWER', 'ORIGINATOR_CANCEL'];

/** Calls of six days at odd times, some short, some unanswered, two of them still running. */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  platform.clock.freeze();
  platform.clock.advance((noon - platform.clock.now().getTime()) / 1000);
  account = await createAccount(platform);
  calls = Array.from({ length: 300 }, (_, n) => {
    const duration = n % 3 === 0 ? 0 : (n * 7) % 50;
    return {
      startedAt: at(-0.41 * n - (n % 5) * 3.7 - 0.01),
      duration,
      hangupCause: causes[n % causes.length] ?? '',
      priceMicros: duration > 3 ? { minute: 90_000, call: duration * 1_500 } : { minute: 90_000, call: 0 },
    };
  });
  calls.push({ startedAt: at(-0.5), status: 'dialing' }, { startedAt: at(-30), status: 'answered' });
  await insertCalls(platform.database, account, calls);
  await insertCalls(platform.database, await createAccount(platform), calls.slice(0, 50));
});
afterAll(() => platform.close());

const ask = (query: Record<string, string> = {}, client = account.admin.client) =>
  client.get('/calls/summary', { query });
const between = (from: number, until: number) => ({
  since: at(from).toISOString(),
  until: at(until).toISOString(),
});
const windows = [
  between(-200, 1),
  between(-100.13, -20.01),
  between(-24, 0),
  between(-0.2, 0),
  between(-50, -49.75),
  between(-49.99, -49.76),
  between(0, 1),
];
const sum = () => sumCalls(platform.api.base, AbortSignal.timeout(120_000));
const inZone = (timezone: string) => account.admin.client.patch('/accounts', { timezone });
const expectModel = async (timezone: string) => {
  for (const window of windows) {
    const { status, body } = await ask(window);
    expect([status, body.timezone, body.since, body.until]).toEqual([
      200,
      timezone,
      window.since,
      window.until,
    ]);
    expect(body).toMatchObject(expectedSummary(calls, window, timezone));
  }
};

test('CALL-43 totals by day and hour in any time zone are equal before and after summing', async () => {
  const zones = ['America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns'];
  for (const zone of zones) {
    await inZone(zone);
    await expectModel(zone);
  }
  await sum();
  const [until] = await platform.database.query<{ until: Date }>('select until from calls_summed');
  expect(new Date(String(until?.until)).toISOString()).toBe(at(-1).toISOString());
  for (const zone of zones.toReversed()) {
    await inZone(zone);
    await expectModel(zone);
  }
});

test('CALL-67 counts the answered calls of each cause', async () => {
  const { body } = await ask(windows[0]);
  const ended: { calls: number; answered: number }[] = body.hangupCauses;
  expect(ended.reduce((sum, { answered }) => sum + answered, 0)).toBe(body.totals.answered);
  expect(ended.some(({ calls, answered }) => calls > answered)).toBe(true);
});

test('CALL-43 reads mostly from the sums', async () => {
  await platform.database.query(
    'update call_sums set calls = calls + 1000 where account_id = $1 and starts_at = (select min(starts_at) from call_sums where account_id = $1)',
    [account.id],
  );
  const { body } = await ask(windows[0]);
  expect(body.totals.calls).toBe(1302);
  await platform.database.query(
    'update call_sums set calls = calls - 1000 where account_id = $1 and calls > 1000',
    [account.id],
  );
  expect((await ask(windows[0])).body.totals.calls).toBe(302);
});

test('CALL-43 a call that ends after its quarter-hour was summed is added once', async () => {
  const long = calls.find(({ status }) => status === 'answered');
  expect(await platform.database.query('select from unsummed_calls')).toHaveLength(1);
  const end = `update calls set status = 'ended', ended_at = now(), duration = 77, hangup_cause = 'NORMAL_CLEARING',
    call_price_micros = 123400 where account_id = $1 and status = 'answered'`;
  await platform.database.query(end, [account.id]);
  if (long) Object.assign(long, { status: 'ended', duration: 77, priceMicros: { minute: 1, call: 123_400 } });
  await expectModel('America/Sao_Paulo');
  for (let times = 0; times < 2; times += 1) {
    await sum();
    expect(await platform.database.query('select from unsummed_calls')).toEqual([]);
    await expectModel('America/Sao_Paulo');
  }
});

test('CALL-43 defaults to today in the account’s time zone, for a USER too', async () => {
  await inZone('Asia/Tokyo');
  const { body } = await ask();
  const now = platform.clock.now();
  expect(body.until).toBe(now.toISOString());
  expect(wallTime(new Date(body.since), 'Asia/Tokyo')).toBe(
    `${wallTime(now, 'Asia/Tokyo').slice(0, 10)} 00:00:00`,
  );
  expect(body.byDay).toHaveLength(1);
  const { client } = await account.addUser('USER');
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  expect((await ask({}, client)).body).toEqual(body);
  await inZone('America/Sao_Paulo');
});

test('CALL-43 counts running calls by state', async () => {
  await platform.database.query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     select gen_random_uuid(), $1, 'test', 'click', state, now(), '{}', 0
       from unnest('{queued,ringing,dialing,answered,answered}'::text[]) state`,
    [account.id],
  );
  expect((await ask()).body.live).toEqual({ total: 5, queued: 1, ringing: 1, dialing: 1, answered: 2 });
});

test('CALL-43 rejects an empty, reversed or too long window', async () => {
  const requestError = async (query: Record<string, string>) => {
    const { status, body } = await ask(query);
    return [status, body.error.details[0].path];
  };
  expect(await requestError(between(-1, -1))).toEqual([422, 'until']);
  expect(await requestError(between(0, -1))).toEqual([422, 'until']);
  expect(await requestError(between(-92 * 24 - 0.01, 0))).toEqual([422, 'since']);
  expect((await ask(between(-92 * 24, 0))).body.byDay).toHaveLength(93);
  for (const since of ['yesterday', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'])
    expect(await requestError({ since, until: '1970-01-02T00:00:00Z' })).toEqual([422, 'since']);
  expect(await requestError({ until: '9999-12-31T23:59:59.999-14:00' })).toEqual([422, 'until']);
  expect((await ask({ from: 'x' })).status).toBe(400);
});

test('CALL-43 test credit is not spending of a live account', async () => {
  const spent = (await ask(windows[0])).body.totals.spend;
  expect(spent).toBeGreaterThan(0);
  await platform.database.query(`update accounts set mode = 'live' where id = $1`, [account.id]);
  expect((await ask(windows[0])).body.totals).toMatchObject({ calls: 302, spend: 0 });
  await platform.database.query(`update accounts set mode = 'test' where id = $1`, [account.id]);
});

test('CALL-44 returns the share of short calls and the days over both regulatory limits', async () => {
  const other = await createAccount(platform);
  const days = [
    { outbound: 100_001, short: 85_001 },
    { outbound: 100_001, short: 85_000 },
    { outbound: 100_000, short: 100_000 },
  ];
  for (const [index, { outbound, short }] of days.entries()) {
    await platform.database.query(
      `insert into call_sums values ($1, $2, 'test', 'NO_ANSWER', $3, 0, 0, 0, $3, $4)`,
      [other.id, at(-24 * (index + 1)), outbound, short],
    );
  }
  const { body } = await ask(between(-80, 0), other.admin.client);
  expect(body.shortCalls).toEqual({
    seconds: 6,
    shareLimit: 0.85,
    callsPerDay: 100_000,
    daysOver: [wallTime(at(-24), 'America/Sao_Paulo').slice(0, 10)],
  });
  expect(body.totals).toMatchObject({ outbound: 300_002, short: 270_001, shortShare: 0.9 });
  expect(body.byDay.map(({ short }: { short: number }) => short)).toEqual([100_000, 85_000, 85_001, 0]);
});
