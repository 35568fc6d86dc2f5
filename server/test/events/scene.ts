import { holdForCall, settleCall } from '../../src/contexts/billing/index.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { within } from '../billing/scene.ts';
import { type CallRow, insertCalls } from '../calls-list/fixtures.ts';
import type { Person, TestAccount } from '../harness/people.ts';
import type { Platform } from '../harness/platform.ts';

const destination = '5511987654321';

/** The steps that a call which was answered tells, in their order. */
export const steps = ['channel-create', 'channel-answer', 'channel-hangup', 'call-priced'];

/** A call that was answered, ended and paid for, with its events, as call control leaves it; not yet numbered. */
export async function tellCall(
  platform: Platform,
  account: TestAccount,
  { owner, types = steps, ...call }: { owner?: Person; types?: string[] } & Partial<CallRow> = {},
): Promise<string> {
  const { database } = platform;
  const startedAt = call.startedAt ?? platform.clock.now();
  const [callId = ''] = await insertCalls(database, account, [{ startedAt, ...call }]);
  const settled = await within(platform, account.id, async (tx) => {
    const order = { accountId: account.id, callId, destination, at: startedAt };
    await holdForCall(tx, platform.api.app, order);
    return await settleCall(tx, { accountId: account.id, callId, usedSeconds: 42, at: startedAt });
  });
  await database.query(
    `update calls set call_price_micros = $2, user_id = (select id from users where uuid = $3) where id = $1`,
    [callId, settled.priceMicros, owner?.uuid ?? null],
  );
  for (const [index, type] of types.entries())
    await tell(platform, account, callId, type, index + 1, startedAt);
  return callId;
}

/** One event of a call, with the call as it is now. */
export async function tell(
  { database }: Platform,
  account: TestAccount,
  callId: string,
  type: string,
  sequence: number,
  at: Date,
): Promise<void> {
  await database.query(
    `insert into events (id, account_id, type, subject_id, data, occurred_at)
     select $1, $2, $3, c.id::text, jsonb_build_object('sequence', $5::int, 'call', to_jsonb(c) - 'timeline'), $6
       from calls c where c.id = $4`,
    [uuidv7(at), account.id, type, callId, sequence, at],
  );
}

/** What the worker does all the time. */
export const number = async ({ database, clock }: Platform): Promise<void> => {
  await database.query('select * from sequence_events(10000, $1)', [clock.now()]);
};
