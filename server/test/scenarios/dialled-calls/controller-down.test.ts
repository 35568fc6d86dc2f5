import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../harness/fixtures/billing.ts';
import {
  assignNumber,
  finalStatus,
  freshNumber,
  listedCalls,
  whenCallsAreRouted,
  whenListed,
} from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { listChannels, numberEnding } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';
import { moveVoiceOut, type VoiceProcess } from '../chaos/voice-process.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let voice: VoiceProcess;
const number = freshNumber();

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  await assignNumber(platform, account, number);
  line = await platform.addLine(account, { extension: { bina: number } });
  // A long timeout, because these tests control how long accepting a call takes.
  voice = await moveVoiceOut(platform, { STATEMENT_TIMEOUT_MS: '60000' });
  await whenCallsAreRouted(line);
});
afterAll(async () => {
  await voice?.kill();
  await platform?.close();
});

const carried = () => platform.engines.simulator.carrierCalls().length;

/** Callers give up after 32 s without a response (RFC 3261, timer B). */
const patienceMs = 20_000;

test('without a controller a call is rejected with 503 in time and never placed later', async () => {
  await voice.kill();
  const before = carried();
  const listed = (await listedCalls(account)).length;
  const { simulator, node } = platform.engines;
  // At first the edge has not detected that the controller is down, and the node times out; afterwards the edge rejects
  // calls itself.
  for (const _round of [1, 2]) {
    const parties = await Promise.all([
      line.phone.dial(numberEnding('16')),
      simulator.callFromCarrier({ to: number, from: '5521988887777', node: node.sipAddress }),
    ]);
    for (const party of parties) {
      const { status, invitedAtMs, endedAtMs = 0 } = await party.ended();
      expect(status).toBe(503);
      expect(endedAtMs - invitedAtMs).toBeLessThan(patienceMs);
    }
    await sleep(3_000);
  }
  const { status, invitedAtMs, endedAtMs = 0 } = await (await line.phone.dial(numberEnding('16'))).ended();
  expect(status).toBe(503);
  expect(endedAtMs - invitedAtMs).toBeLessThan(patienceMs);
  await voice.start();
  await whenCallsAreRouted(line);
  await sleep(1_000);
  expect(carried()).toBe(before);
  expect(line.phone.calls()).toEqual([]);
  expect(await listedCalls(account)).toHaveLength(listed);
});

const acceptLock = 4711;

/** Delays the acceptance of calls until the work is done: a trigger blocks the transaction before its commit. */
async function slowAccept(work: () => Promise<void>): Promise<void> {
  const { query, ownerUrl } = platform.database;
  const holder = new pg.Client({ connectionString: ownerUrl });
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock($1)', [acceptLock]);
    await query(
      `create function slow_accept() returns trigger language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(${acceptLock}); return null; end $$;
       create constraint trigger slow_accept after insert on live_calls deferrable initially deferred
         for each row execute function slow_accept()`,
    );
    await work();
  } finally {
    // Closing the connection releases the lock; dropping the trigger waits for the blocked transactions.
    await holder.end();
    await query('drop trigger if exists slow_accept on live_calls; drop function if exists slow_accept');
  }
}

const whenAccepting = () =>
  until(async () => {
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`;
    return (await platform.database.query(waiting, [acceptLock])).length > 0;
  }, 'the call is being accepted');

test('a call accepted just before its controller died ends soon, uncharged and undialled', async () => {
  const before = carried();
  const to = numberEnding('16');
  await slowAccept(async () => {
    const dialled = await line.phone.dial(to);
    await whenAccepting();
    await voice.kill();
    expect(await finalStatus(dialled)).toBe(503);
  });
  await voice.start();
  const { id } = await whenListed(account, { to });
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ duration: 0, call_price: 0, answered_at: null });
  expect(await readBalance(account)).toMatchObject({ held: 0 });
  expect(carried()).toBe(before);
  await whenCallsAreRouted(line);
});

test('a phone that hangs up before the decision cancels its call, and nothing is dialled', async () => {
  const before = carried();
  const to = numberEnding('16');
  await slowAccept(async () => {
    const dialled = await line.phone.dial(to);
    await whenAccepting();
    await dialled.hangUp();
    await dialled.ended();
    // The phone does not wait for the node.
    await until(async () => (await listChannels(platform)).length === 0, 'the node has ended the leg');
  });
  const { id } = await whenListed(account, { to });
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    hangup_cause: 'ORIGINATOR_CANCEL',
    ended_by: 'extension',
    call_price: 0,
  });
  expect(carried()).toBe(before);
});

test('a call accepted too late is ended by the system, and nothing is dialled', async () => {
  const before = carried();
  const to = numberEnding('16');
  const { simulator, node } = platform.engines;
  const late = async () => {
    const parties = await Promise.all([
      line.phone.dial(to),
      simulator.callFromCarrier({ to: number, from: '5521988887777', node: node.sipAddress }),
    ]);
    for (const party of parties) expect(await finalStatus(party)).toBe(503);
  };
  await slowAccept(late);
  for (const called of [to, number]) {
    const { id } = await whenListed(account, { to: called });
    expect(await whenCall(account, id, 'ended')).toMatchObject({
      hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
      ended_by: 'system',
      call_price: 0,
    });
  }
  expect(carried()).toBe(before);
  expect(line.phone.calls()).toEqual([]);
});

test('a carrier with too many simultaneous calls gets 503 to try another node, not busy', async () => {
  const { simulator, node } = platform.engines;
  const from = '5521988887777';
  const call = () => simulator.callFromCarrier({ to: number, from, node: node.sipAddress });
  await slowAccept(async () => {
    const calls = await Promise.all(Array.from({ length: 7 }, call));
    expect(new Set(await Promise.all(calls.map(finalStatus)))).toEqual(new Set([503]));
  });
  expect(line.phone.calls()).toEqual([]);
});

test('a dialled call continues when its controller dies, and its end is reported later', async () => {
  const to = numberEnding('97');
  const talking = await line.phone.dial(to);
  await talking.answered();
  const { id } = await whenListed(account, { to });
  await whenCall(account, id, 'answered');
  await voice.kill();
  await sleep(1_000);
  expect(talking.seen()?.endedAtMs).toBeUndefined();
  await talking.hangUp();
  await talking.ended();
  await voice.start();
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' });
  expect(ended.duration).toBeGreaterThan(0);
});
