import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import {
  type CallBudgets,
  type Caps,
  effectiveCaps,
  leastConcurrentCalls,
  type SetCaps,
} from './caps.rules.ts';

export async function findCaps(tx: Tx, accountId: number): Promise<Caps> {
  const query = prepared<SetCaps & { isSuspended: boolean; budgets: CallBudgets }>`
    select c.calls_per_second as "callsPerSecond", c.concurrent_calls as "concurrentCalls",
           c.inbound_calls_per_number as "inboundCallsPerNumber", c.daily_spend_micros as "dailySpendMicros",
           c.price_per_minute_micros as "pricePerMinuteMicros", c.countries, b.budgets,
           c.suspended_at is not null as "isSuspended"
      from (select json_build_object(
                     'calls', max(most) filter (where resource = 'calls' and (is_set or most <= ${leastConcurrentCalls})),
                     'callMinutes', max(most) filter (where resource = 'call_minutes')) as budgets
              from effective_budgets where account_id = ${accountId} and resource in ('calls', 'call_minutes')) b
      left join account_caps c on c.account_id = ${accountId}`;
  const [row] = await executePrepared(tx, query);
  return effectiveCaps(row, row?.budgets ?? { calls: null, callMinutes: null });
}

export const findSetCaps = (tx: Tx, accountId: number): Promise<SetCaps | undefined> =>
  selectCaps(tx, accountId).executeTakeFirst();

const selectCaps = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('account_caps')
    .select([
      'calls_per_second as callsPerSecond',
      'concurrent_calls as concurrentCalls',
      'inbound_calls_per_number as inboundCallsPerNumber',
      'daily_spend_micros as dailySpendMicros',
      'price_per_minute_micros as pricePerMinuteMicros',
      'countries',
    ])
    .where('account_id', '=', accountId);

export async function saveSetCaps(tx: Tx, accountId: number, caps: SetCaps): Promise<void> {
  const values = {
    calls_per_second: caps.callsPerSecond,
    concurrent_calls: caps.concurrentCalls,
    inbound_calls_per_number: caps.inboundCallsPerNumber,
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

export interface Suspension {
  at: Date;
  reason: string;
}

export async function findSuspension(tx: Tx, accountId: number): Promise<Suspension | undefined> {
  const row = await tx
    .selectFrom('account_caps')
    .select(['suspended_at as at', 'suspended_reason as reason'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.at && row.reason ? { at: row.at, reason: row.reason } : undefined;
}

/** Suspends an account, unless it is suspended already. Returns whether it was not. */
export async function saveSuspension(
  tx: Tx,
  accountId: number,
  { at, reason }: Suspension,
): Promise<boolean> {
  const values = { suspended_at: at, suspended_reason: reason };
  const saved = await tx
    .insertInto('account_caps')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(values).where('account_caps.suspended_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return saved !== undefined;
}

export async function deleteSuspension(tx: Tx, accountId: number): Promise<void> {
  await tx
    .updateTable('account_caps')
    .set({ suspended_at: null, suspended_reason: null })
    .where('account_id', '=', accountId)
    .execute();
}
