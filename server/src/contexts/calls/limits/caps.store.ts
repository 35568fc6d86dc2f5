import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import { Refusal } from '../../../platform/errors.ts';
import { type Caps, effectiveCaps, type SetCaps } from './caps.rules.ts';

export async function findCaps(tx: Tx, accountId: number): Promise<Caps> {
  const query = prepared<SetCaps>`
    select calls_per_second as "callsPerSecond", concurrent_calls as "concurrentCalls",
           daily_spend_micros as "dailySpendMicros", price_per_minute_micros as "pricePerMinuteMicros", countries
      from account_caps where account_id = ${accountId}`;
  const [row] = await executePrepared(tx, query);
  return effectiveCaps(row);
}

export const findSetCaps = (tx: Tx, accountId: number): Promise<SetCaps | undefined> =>
  selectCaps(tx, accountId).executeTakeFirst();

const selectCaps = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('account_caps')
    .select([
      'calls_per_second as callsPerSecond',
      'concurrent_calls as concurrentCalls',
      'daily_spend_micros as dailySpendMicros',
      'price_per_minute_micros as pricePerMinuteMicros',
      'countries',
    ])
    .where('account_id', '=', accountId);

export async function saveSetCaps(tx: Tx, accountId: number, caps: SetCaps): Promise<void> {
  const values = {
    calls_per_second: caps.callsPerSecond,
    concurrent_calls: caps.concurrentCalls,
    daily_spend_micros: caps.dailySpendMicros,
    price_per_minute_micros: caps.pricePerMinuteMicros,
    countries: caps.countries,
  };
  await tx
    .insertInto('account_caps')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/** Null `callsPerSecond` means unlimited, for inbound calls, which the account does not start. */
type SlotLimits = Pick<Caps, 'concurrentCalls'> & { callsPerSecond: number | null };

/**
 * Reserves a call slot of the account, or refuses with CAPACITY_EXCEEDED. Exact under concurrency if called in the
 * call's transaction before its row in live_calls is written. A rollback releases the slot.
 */
export async function reserveCallSlot(tx: Tx, caps: SlotLimits, at: Date): Promise<void> {
  const query = prepared<{ outcome: 'taken' | 'rate' | 'concurrency' }>`
    select reserve_call_slot(${at}, ${caps.callsPerSecond}, ${caps.concurrentCalls ?? null}) as outcome`;
  const [row] = await executePrepared(tx, query);
  if (row?.outcome === 'rate') {
    throw new Refusal(
      'CAPACITY_EXCEEDED',
      `The account may place ${caps.callsPerSecond} calls per second. Try again shortly.`,
      { retryAfterSeconds: 1 },
    );
  }
  if (row?.outcome === 'concurrency') {
    throw new Refusal(
      'CAPACITY_EXCEEDED',
      'The account has reached its limit of concurrent calls. Try again when a call has ended.',
      { retryAfterSeconds: callEndsSeconds },
    );
  }
}

/** Retry-After in seconds. With ten concurrent calls, one of them ends after about this time. */
const callEndsSeconds = 10;
