import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import { addDeck, readBalance } from '../../../harness/fixtures/billing.ts';
import { openOperator } from '../../../harness/operator.ts';
import type { TestAccount } from '../../../harness/people.ts';
import { until } from '../../../harness/until.ts';
import { atCarrier, numberEnding, whenReleased } from '../../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../../harness/voice/voice-platform.ts';

/** Every destination costs R$ 0.60 per minute: at least 30 s, then steps of 6 s, with 3 s free. */
let platform: VoicePlatform;

/** A call in progress while other tests run. */
interface TalkingCall {
  account: TestAccount;
  line: Line;
  id: string;
}

let long: {
  exhausted: TalkingCall;
  renewed: TalkingCall;
  shared: TalkingCall;
  secondShared: TalkingCall;
  minute: TalkingCall;
};
/** The hold of `long.renewed`, observed when it is renewed, whichever test runs at that time. */
let renewal: ReturnType<typeof awaitRenewal>;
/** The lowest credit seen while two calls share it. */
let leastAvailable = Number.POSITIVE_INFINITY;

const startOfToday = new Date(new Date().setUTCHours(0, 0, 0, 0));
const tomorrow = new Date(Date.now() + 24 * 3600 * 1000);

beforeAll(async () => {
  platform = await startVoicePlatform();
  const deck = [
    { prefix: '55', price: 0.6 },
    { prefix: '5531', price: 0.9, minimum: 1, step: 1, free: 0 },
    { prefix: '553198', price: 0.12, minimum: 1, step: 1, free: 0 },
  ];
  await addDeck(platform, deck, startOfToday);
  await addDeck(platform, [{ prefix: '55', price: 0.01 }], tomorrow);
  const [exhausted, renewed, shared, minute] = await Promise.all([
    startTalk(0.67),
    startTalk(100),
    startTalk(1.2),
    startTalk(100, 33),
  ]);
  const secondShared = { ...shared, id: await shared.line.call(numberEnding('16')) };
  long = { exhausted, renewed, shared, secondShared, minute };
  renewal = awaitRenewal();
  // Failures are reported by the test that awaits it.
  renewal.catch(() => undefined);
});
afterAll(() => platform.close());

async function startTalk(
  reais: number,
  hangUpAfterSeconds = 0,
  number = numberEnding('16'),
): Promise<TalkingCall> {
  const account = await platform.addAccount(reais);
  const line = await platform.addLine(account, { phone: { hangUpAfterSeconds } });
  return { account, line, id: await line.call(number) };
}

async function readHold({ account, id }: TalkingCall) {
  const [hold] = await platform.database.query<{
    funded: number;
    held: number;
    renewals: number;
    state: string;
  }>(
    `select funded_seconds as funded, held_micros::float / 1e6 as held, renewals, state
       from call_holds where account_id = $1 and call_id = $2`,
    [account.id, id],
  );
  if (!hold) throw new Error('The call has no hold.');
  return hold;
}

async function awaitRenewal() {
  const { renewed, shared } = long;
  const { answered_at } = await whenCall(renewed.account, renewed.id, 'answered');
  return await until(async () => {
    const seen = await readHold(renewed);
    const since = (Date.now() - Date.parse(answered_at)) / 1000;
    leastAvailable = Math.min(leastAvailable, (await readBalance(shared.account)).available);
    if (seen.renewals === 0) return undefined;
    const { held: heldOfAccount } = await readBalance(renewed.account);
    return { ...seen, since, heldOfAccount, entries: await listEntryTypes(renewed) };
  }, 'the hold is renewed');
}

/** Returns the types of a call's statement entries. */
async function listEntryTypes({ account, id }: TalkingCall): Promise<string[]> {
  const { body } = await account.admin.client.get(`/calls/${id}/price`);
  return body.entries.map(({ type }: { type: string }) => type);
}

const talkedSeconds = ({ id }: TalkingCall): number => {
  const [leg] = atCarrier(platform, id);
  return ((leg?.endedAtMs ?? Number.NaN) - (leg?.answeredAtMs ?? Number.NaN)) / 1000;
};

test('LEDGER-05 the first minute is held before any phone rings', async () => {
  for (const talk of [long.exhausted, long.renewed]) {
    expect(await readHold(talk)).toMatchObject({ funded: 60, held: 0.6, renewals: 0, state: 'open' });
  }
  expect(await readBalance(long.renewed.account)).toEqual({
    balance: 100,
    held: 0.6,
    available: 99.4,
    currency: 'BRL',
  });
});

test('LEDGER-07 LEDGER-05 credit held by running calls cannot be spent by another', async () => {
  const { account, line } = long.shared;
  expect(await readBalance(account)).toMatchObject({ balance: 1.2, held: 1.2, available: 0 });
  const refused = await account.admin.client.post('/calls', {
    extension: line.ramal,
    called: numberEnding('16'),
  });
  expect([refused.status, refused.body.error.errorCode]).toEqual([402, 'INSUFFICIENT_CREDIT']);
});

test('LEDGER-06 LEDGER-10 a call of 3 s or less is free, and its hold is released', async () => {
  // Hangs up 2 s after its own answer, which leaves the destination 2 s to answer and the hang-up a second.
  const talk = await startTalk(10, 2);
  const ended = await whenCall(talk.account, talk.id, 'ended');
  expect(ended.duration).toBeGreaterThan(0);
  expect(ended).toMatchObject({ billed_duration: 0, call_price: 0, minute_price: 0.6 });
  expect(await readBalance(talk.account)).toMatchObject({ balance: 10, held: 0, available: 10 });
  expect(await listEntryTypes(talk)).toEqual(['hold', 'release']);
});

test('LEDGER-06 an unanswered call is free', async () => {
  const talk = await startTalk(10, 0, numberEnding('17'));
  expect(await whenCall(talk.account, talk.id, 'ended')).toMatchObject({ billed_duration: 0, call_price: 0 });
  expect(await readBalance(talk.account)).toMatchObject({ balance: 10, held: 0 });
});

test('LEDGER-06 LEDGER-10 LEDGER-11 a short call is billed once, as 30 s, with an explained price', async () => {
  const talk = await startTalk(10, 10);
  const ended = await whenCall(talk.account, talk.id, 'ended');
  expect(ended.duration).toBeGreaterThan(3);
  expect(ended).toMatchObject({ billed_duration: 30, call_price: 0.3 });
  expect(await readBalance(talk.account)).toMatchObject({ balance: 9.7, held: 0, available: 9.7 });
  const { body: price } = await talk.account.admin.client.get(`/calls/${talk.id}/price`);
  expect(price).toMatchObject({
    callId: talk.id,
    to: ended.to,
    prefix: '55',
    minutePrice: 0.6,
    increments: { minimumSeconds: 30, stepSeconds: 6, freeSeconds: 3 },
    duration: ended.duration,
    billedDuration: 30,
    callPrice: 0.3,
  });
  expect((price.billedDuration * price.minutePrice) / 60).toBeCloseTo(ended.call_price, 10);
  const sumField = (field: 'held' | 'revenue' | 'available') =>
    price.entries.reduce((sum: number, entry: Record<string, number>) => sum + (entry[field] ?? 0), 0);
  expect(
    [sumField('held'), sumField('revenue'), sumField('available')].map((sum) => Number(sum.toFixed(4))),
  ).toEqual([0, 0.3, -0.3]);
  await talk.account.admin.client.post(`/calls/${talk.id}/hangup`);
  expect(await listEntryTypes(talk)).toEqual(['hold', 'call']);
});

test('LEDGER-09 a call is rated by the longest prefix of the deck effective today', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const prices: Record<string, number> = {
    '5531980000017': 0.12,
    '5531970000017': 0.9,
    '5511980000017': 0.6,
  };
  for (const [number, price] of Object.entries(prices)) {
    const ended = await whenCall(account, await line.call(number), 'ended');
    expect(ended.minute_price, number).toBe(price);
  }
});

test('LEDGER-05 a talking call is renewed for a minute 30 s before its funding ends, not sooner', async () => {
  const hold = await renewal;
  expect(hold.since).toBeGreaterThanOrEqual(30);
  // A margin for a tick, a transaction and the polling on a busy machine.
  expect(hold.since).toBeLessThan(45);
  // One minute ahead of the used time, in whole steps.
  expect(hold.funded).toBeGreaterThanOrEqual(90);
  expect(hold.funded).toBeLessThanOrEqual(108);
  expect(hold.held).toBeCloseTo(hold.funded / 100, 10);
  expect(hold.heldOfAccount).toBeCloseTo(hold.held, 10);
  expect(hold.entries).toEqual(['hold', 'hold']);
});

test('LEDGER-10 LEDGER-06 a call longer than 30 s is billed in steps of 6 s', async () => {
  const { minute } = long;
  const ended = await whenCall(minute.account, minute.id, 'ended');
  expect(ended.duration).toBeGreaterThan(30);
  const billed = 30 + Math.ceil((ended.duration - 30) / 6) * 6;
  expect(ended).toMatchObject({ billed_duration: billed, call_price: billed / 100 });
  expect(await readBalance(minute.account)).toMatchObject({ balance: 100 - billed / 100, held: 0 });
});

test('LEDGER-07 LEDGER-08 two calls on the last credit both end after their funded minute, at exactly 0', async () => {
  for (const talk of [long.shared, long.secondShared]) {
    const ended = await until(
      async () => {
        leastAvailable = Math.min(leastAvailable, (await readBalance(talk.account)).available);
        const { body } = await talk.account.admin.client.get(`/calls/${talk.id}`);
        return body.status === 'ended' ? body : undefined;
      },
      'the credit is used up',
      240,
    );
    expect(ended).toMatchObject({
      hangup_cause: 'ALLOTTED_TIMEOUT',
      ended_by: 'system',
      duration: 60,
      billed_duration: 60,
      call_price: 0.6,
    });
    await whenReleased(platform, talk.id);
    expect(Math.abs(talkedSeconds(talk) - 60)).toBeLessThan(1);
  }
  expect(leastAvailable).toBe(0);
  expect(await readBalance(long.shared.account)).toMatchObject({ balance: 0, held: 0, available: 0 });
});

test('LEDGER-08 LEDGER-14 the last renewal buys the remaining whole steps, then the call ends', async () => {
  const { exhausted } = long;
  const ended = await whenCall(exhausted.account, exhausted.id, 'ended', 240);
  expect(ended).toMatchObject({
    hangup_cause: 'ALLOTTED_TIMEOUT',
    ended_by: 'system',
    duration: 66,
    billed_duration: 66,
    call_price: 0.66,
  });
  await whenReleased(platform, exhausted.id);
  expect(Math.abs(talkedSeconds(exhausted) - 66)).toBeLessThan(1);
  expect(await readHold(exhausted)).toMatchObject({ funded: 66, renewals: 1, state: 'settled' });
  expect(await readBalance(exhausted.account)).toMatchObject({ balance: 0.01, held: 0, available: 0.01 });
});

test('LEDGER-06 LEDGER-07 afterwards the ledger is clean and nothing is held', async () => {
  const { renewed } = long;
  await renewed.account.admin.client.post(`/calls/${renewed.id}/hangup`);
  const ended = await whenCall(renewed.account, renewed.id, 'ended');
  expect(await readBalance(renewed.account)).toMatchObject({
    balance: Number((100 - ended.call_price).toFixed(4)),
    held: 0,
  });
  const operator = openOperator(platform);
  expect(await auditLedger(operator)).toEqual([]);
  await operator.close();
  expect(await platform.database.query(`select from call_holds where state = 'open'`)).toEqual([]);
});
