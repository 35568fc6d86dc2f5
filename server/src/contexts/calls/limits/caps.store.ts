import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
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
