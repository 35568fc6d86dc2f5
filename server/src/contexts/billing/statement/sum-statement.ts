import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { checkWindow } from '../../../platform/window.ts';
import { findBook } from '../ledger/ledger.store.ts';
import { sumPeriod } from './statement-totals.store.ts';

/** Returns opening balance, changes by type and closing balance of a period of the statement. */
export async function sumStatement(
  { db }: { db: Database },
  { accountId }: Pick<Caller, 'accountId'>,
  asked: { since?: string | undefined; until?: string | undefined },
) {
  const since = momentOf(asked.since);
  const until = momentOf(asked.until);
  if (since && until) checkWindow(since, until, Number.POSITIVE_INFINITY);
  return await inAccount(db, accountId, async (tx) => {
    const { opening, entries, ...changes } = await sumPeriod(tx, accountId, await findBook(tx, accountId), {
      since,
      until,
    });
    const closing = Object.values(changes).reduce((sum, micros) => sum + micros, opening);
    return {
      since: since?.toISOString() ?? null,
      until: until?.toISOString() ?? null,
      openingBalance: reaisFromMicros(opening),
      charges: reaisFromMicros(changes.charges),
      refunds: reaisFromMicros(changes.refunds),
      chargebacks: reaisFromMicros(changes.chargebacks),
      adjustments: reaisFromMicros(changes.adjustments),
      calls: reaisFromMicros(changes.calls),
      closingBalance: reaisFromMicros(closing),
      entries,
    };
  });
}

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
