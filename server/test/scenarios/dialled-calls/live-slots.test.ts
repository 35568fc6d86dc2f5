import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DialledCall } from '../../../../simulator/voice/index.ts';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import { setMode } from '../../harness/fixtures/charges.ts';
import {
  finalStatus,
  freshNumber,
  listedCalls,
  whenCallsAreRouted,
} from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { liftCaps, numberEnding } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

/** One of the four slots is reserved for live accounts. */
const settings = { NODE_MAX_CALLS: '4' };

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform({ settings });
  await platform.database.query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     select 'simulator-live', 'live', address, default_caller_id, created_at from trunks`,
  );
  // Call control reads the trunks at start and then only rarely.
  await platform.stopVoice();
  await platform.startVoice();
});
afterAll(() => platform?.close());

interface Caller {
  account: TestAccount;
  caller: Line;
  callee: Line;
  number: string;
}

async function addCaller(mode: 'test' | 'live'): Promise<Caller> {
  const account = await platform.addAccount(0);
  await setMode(platform, account, mode);
  await giveCredit(platform, account.id, 100);
  await liftCaps(platform, account);
  const number = freshNumber();
  await platform.database.query(
    `insert into caller_ids (account_id, mode, number, status, source, created_at, owned_at)
     values ($1, $2, $3, 'owned', 'operator', now(), now())`,
    [account.id, mode, number],
  );
  const [caller, callee] = await Promise.all([
    platform.addLine(account),
    platform.addLine(account, { extension: { bina: number } }),
  ]);
  return { account, caller, callee, number };
}

type Start = (from: Caller) => Promise<DialledCall>;

/** The ways in which a phone or a carrier starts a call; each is answered and goes on until it is hung up. */
const legs: Record<string, Start> = {
  dialled: ({ caller }) => caller.phone.dial(numberEnding('00')),
  internal: ({ caller, callee }) => caller.phone.dial(callee.ramal),
  inbound: ({ number }) =>
    platform.engines.simulator.callFromCarrier({
      to: number,
      from: '5521988887777',
      node: platform.engines.node.sipAddress,
    }),
};

/**
 * Starts a call and waits until it is answered. On a busy machine the decision may be too late, and the leg gets 503 as
 * without a free slot; the caller then calls again when the node decides in time.
 */
const answeredCall = (from: Caller, start: Start): Promise<DialledCall> =>
  until(async () => {
    const call = await start(from);
    const isAnswered = await call.answered().then(
      () => true,
      () => false,
    );
    if (isAnswered) return call;
    expect(await finalStatus(call)).toBe(503);
    await whenCallsAreRouted(from.caller);
    return undefined;
  }, 'a call is answered');

const whenOnNode = ({ account }: Caller, count: number) =>
  until(async () => {
    const claimed = await platform.database.query(
      'select from live_calls where account_id = $1 and node is not null',
      [account.id],
    );
    return claimed.length === count;
  }, `the node has ${count} calls of the account`);

test('LIMIT-27 test accounts leave slots of a node to live accounts, whatever starts the call', async () => {
  const [free, paying] = [await addCaller('test'), await addCaller('live')];
  await whenCallsAreRouted(free.caller);
  const filling: DialledCall[] = [];
  for (const start of Object.values(legs)) filling.push(await answeredCall(free, start));
  await whenOnNode(free, filling.length);
  const { length: recordsBefore } = await listedCalls(free.account);

  for (const [kind, start] of Object.entries(legs))
    expect(await finalStatus(await start(free)), kind).toBe(503);
  const queued = await free.caller.call(numberEnding('00'));
  expect(await whenCall(free.account, queued, 'ended')).toMatchObject({
    hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
  });
  expect(free.caller.phone.calls()).toEqual([]);
  // Of the refused calls, only the queued one has a record.
  expect(await listedCalls(free.account)).toHaveLength(recordsBefore + 1);
  await whenOnNode(free, filling.length);

  for (const start of Object.values(legs)) {
    const call = await answeredCall(paying, start);
    await whenOnNode(paying, 1);
    await call.hangUp();
    await whenOnNode(paying, 0);
  }
  const claimed = await paying.caller.call(numberEnding('00'));
  await whenOnNode(paying, 1);
  expect((await paying.account.admin.client.post(`/calls/${claimed}/hangup`)).status).toBe(200);
  await whenOnNode(paying, 0);

  // A slot that becomes free is for test accounts again.
  await filling.pop()?.hangUp();
  await whenOnNode(free, filling.length);
  const again = await free.caller.call(numberEnding('00'));
  await whenCall(free.account, again, 'answered');
  await whenOnNode(free, filling.length + 1);
});
