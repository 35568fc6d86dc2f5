import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { auditLedger } from '../../../src/contexts/billing/index.ts';
import { drainNode } from '../../../src/contexts/telephony/index.ts';
import { addDeck, readBalance } from '../../harness/fixtures/billing.ts';
import { openOperator } from '../../harness/operator.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { nodeAddress } from '../../harness/voice/engines.ts';
import { atCarrier, liftCaps, numberEnding, whenReleased } from '../../harness/voice/lines.ts';
import {
  addNode,
  createShipping,
  type Line,
  type Shipping,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';
import { type Stalls, watchStalls } from '../audio/stalls.ts';
import { startVoiceProcess, type VoiceProcess } from './voice-process.ts';

/** R$ 0.60 per minute, billed per second: one centavo per second. The first minute is funded before the phone rings. */
const minuteReais = 0.6;
const microsPerSecond = 10_000;
const accountsEach = 10;
const callsEach = 10;
/** Besides the time in which the machine did not run waiting threads. */
const toleranceMs = 1_000;
/** A delay of the machine up to this long before an event may have postponed it. */
const recoveryMs = 2_000;

interface FundedCall {
  account: TestAccount;
  id: string;
}

let platform: VoicePlatform;
/** Voice process that controls the second node; the test kills it. */
let killedVoice: VoiceProcess;
/**
 * The shipper of the node. Events that the node sends while its controller is being killed are lost; its detail records
 * are not.
 */
let shipping: Shipping;
let stalls: Stalls;

beforeAll(async () => {
  stalls = await watchStalls();
  platform = await startVoicePlatform({ engines: { rtpTimeoutSeconds: 300, partyRtpTimeoutSeconds: 300 } });
  await addDeck(platform, [{ prefix: '55', price: minuteReais, minimum: 1, step: 1, free: 0 }], new Date(1));
  const port = await freePort();
  await addNode(platform, 'm2', nodeAddress(platform.engines.cell, 2));
  killedVoice = await startVoiceProcess(platform, port);
  const node = await platform.engines.startNode(2, `ws://127.0.0.1:${port}/asterisk`);
  shipping = createShipping(node, port);
  shipping.start();
  await until(async () => {
    const nodes = await platform.database.query('select from media_nodes where connected');
    return nodes.length === 2;
  }, 'both nodes are connected');
});
afterAll(async () => {
  await shipping?.stop();
  await killedVoice?.kill();
  await platform?.close();
  await stalls?.stop();
});

test('LEDGER-07 LEDGER-08 LEDGER-14 calls end with their funded time, even without a controller; no centavo is overspent', async () => {
  const [interrupted, unaffected] = [await openLines(), await openLines()];
  await commandOnly('m2');
  const renewed = await placeCalls(interrupted.slice(0, accountsEach / 2));
  await commandOnly('m1');
  const alive = await placeCalls(unaffected);
  await whenAnswered([...renewed, ...alive]);
  // The last of the first batch stops renewing 64 s after its answer, the first of the next batch after 55 s.
  await sleep(15_000);
  await commandOnly('m2');
  const unrenewed = await placeCalls(interrupted.slice(accountsEach / 2));
  await whenAnswered(unrenewed);
  // The first batch is renewed 30 s after its answer, as far as the credit allows.
  await until(async () => (await awaitingRenewal(renewed)) === 0, 'they are renewed');
  expect(await awaitingRenewal(unrenewed)).toBe(unrenewed.length);
  await killedVoice.kill();
  const before = await fundings([...renewed, ...unrenewed]);

  await keepFromSweeping(async () => {
    for (const { id } of [...alive, ...renewed, ...unrenewed]) await whenReleased(platform, id);
  });
  expect(await fundings([...renewed, ...unrenewed])).toEqual(before);
  await killedVoice.start();
  const calls = [...alive, ...renewed, ...unrenewed];
  await Promise.all(calls.map(({ account, id }) => whenCall(account, id, 'ended')));
  expect(calls).toHaveLength(200);
  await Promise.all(calls.map(expectFundedEnd));
  for (const { account } of [...interrupted, ...unaffected]) await expectExactSpending(account, calls);
  expect(await auditLedger(platform.api.base)).toEqual([]);
});

/** Creates accounts with credit for the first minute of all their calls, and a few seconds of one more. */
async function openLines(): Promise<Line[]> {
  return await Promise.all(
    Array.from({ length: accountsEach }, async (_, index) => {
      const account = await platform.addAccount(callsEach * minuteReais + (index % 5) / 100);
      await liftCaps(platform, account);
      return await platform.addLine(account, { phone: { behaviour: 'silent' } });
    }),
  );
}

async function placeCalls(lines: Line[]): Promise<FundedCall[]> {
  const placed = lines.map(async (line) => {
    const calls: FundedCall[] = [];
    for (let call = 0; call < callsEach; call += 1) {
      const id = await line.call(numberEnding('97'));
      await whenClaimed(id);
      calls.push({ account: line.account, id });
    }
    return calls;
  });
  return (await Promise.all(placed)).flat();
}

/** Waits until a node claims the call; calls that wait 5 s behind others are no longer placed. */
const whenClaimed = (callId: string) =>
  until(async () => {
    const taken = await platform.database.query(
      'select from live_calls where call_id = $1 and node is not null',
      [callId],
    );
    return taken.length === 1;
  }, 'the call is claimed');

const whenAnswered = (calls: FundedCall[]) =>
  Promise.all(calls.map(({ account, id }) => whenCall(account, id, 'answered')));

async function commandOnly(name: 'm1' | 'm2'): Promise<void> {
  const operator = openOperator(platform);
  for (const each of ['m1', 'm2']) await drainNode(operator, each, each !== name);
  await operator.close();
}

async function fundings(calls: FundedCall[]) {
  return await platform.database.query<{ call_id: string; funded_seconds: number }>(
    'select call_id, funded_seconds from call_holds where call_id = any($1) order by call_id',
    [calls.map(({ id }) => id)],
  );
}

async function awaitingRenewal(calls: FundedCall[]): Promise<number> {
  const waiting = await platform.database.query(
    'select from live_calls where call_id = any($1) and renew_at is not null',
    [calls.map(({ id }) => id)],
  );
  return waiting.length;
}

/**
 * Keeps the node from being considered lost after 45 s without a controller; here the last call may take a little
 * longer.
 */
async function keepFromSweeping(work: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => {
    void platform.database.query(`update media_nodes set last_seen_at = now() where name = 'm2'`);
  }, 5_000);
  await work().finally(() => clearInterval(timer));
}

async function expectFundedEnd(call: FundedCall): Promise<void> {
  const { body: record } = await call.account.admin.client.get(`/calls/${call.id}`);
  const [funding] = await fundings([call]);
  const fundedSeconds = funding?.funded_seconds ?? 0;
  expect(record).toMatchObject({
    hangup_cause: 'ALLOTTED_TIMEOUT',
    ended_by: 'system',
    duration: fundedSeconds,
  });
  const [leg] = atCarrier(platform, call.id);
  const { answeredAtMs = 0, endedAtMs = 0 } = leg ?? {};
  const dueMs = answeredAtMs + fundedSeconds * 1000;
  const stalledMs =
    (await stalls.totalBetween(answeredAtMs - recoveryMs, answeredAtMs)) +
    (await stalls.totalBetween(Math.min(dueMs, endedAtMs) - recoveryMs, endedAtMs));
  expect(Math.abs(endedAtMs - dueMs)).toBeLessThanOrEqual(toleranceMs + stalledMs);
}

async function expectExactSpending(account: TestAccount, calls: FundedCall[]): Promise<void> {
  const own = calls.filter((call) => call.account === account);
  const seconds = (await fundings(own)).reduce((sum, { funded_seconds }) => sum + funded_seconds, 0);
  const [row] = await platform.database.query<{ spent: string }>(
    'select sum(call_price_micros)::bigint as spent from calls where account_id = $1',
    [account.id],
  );
  expect(Number(row?.spent)).toBe(seconds * microsPerSecond);
  const balance = await readBalance(account);
  expect(balance.available).toBeGreaterThanOrEqual(0);
  expect(balance.held).toBe(0);
}
