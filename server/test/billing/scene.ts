import { randomUUID } from 'node:crypto';
import { adjustCredit } from '../../src/contexts/billing/index.ts';
import { inAccount, type Tx } from '../../src/platform/db/database.ts';
import { microsFromReais } from '../../src/platform/money.ts';
import type { Platform } from '../harness/platform.ts';

export interface RateRow {
  prefix: string;
  /** Reais a minute. */
  price: number;
  minimum?: number;
  step?: number;
  free?: number;
}

/** A deck in force from a date on, written as the operator's import would. */
export async function addDeck(
  platform: Platform,
  rates: RateRow[],
  effectiveFrom = new Date(0),
): Promise<void> {
  const [deck] = await platform.database.query<{ id: string }>(
    'insert into rate_decks (name, effective_from, imported_at) values ($1, $2, now()) returning id',
    [`deck of ${effectiveFrom.toISOString()}`, effectiveFrom],
  );
  for (const { prefix, price, minimum = 30, step = 6, free = 3 } of rates) {
    await platform.database.query(
      `insert into rates (deck_id, prefix, description, price_per_minute_micros, minimum_seconds, step_seconds, free_seconds)
       values ($1, $2, $2, $3, $4, $5, $6)`,
      [deck?.id, prefix, microsFromReais(price), minimum, step, free],
    );
  }
}

export async function giveCredit(platform: Platform, accountId: number, reais: number): Promise<void> {
  await within(platform, accountId, (tx) =>
    adjustCredit(tx, platform.api.app, {
      accountId,
      micros: microsFromReais(reais),
      reason: 'A gift for the test',
      key: randomUUID(),
      at: platform.clock.now(),
    }),
  );
}

export const within = <T>(platform: Platform, accountId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inAccount(platform.api.base.db, accountId, work);
