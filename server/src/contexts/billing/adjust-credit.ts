import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { findBook, post } from './ledger.store.ts';
import type { Balance } from './ledger.ts';
import { type LowBalanceDeps, warnOfLowBalance } from './low-balance.ts';

/** The operator gives or takes credit, with a reason the customer reads in the statement. */
export async function adjustCredit(
  tx: Tx,
  deps: LowBalanceDeps,
  adjustment: { accountId: number; micros: number; reason: string; key: string; at: Date },
): Promise<Balance> {
  const { accountId, micros, reason, key, at } = adjustment;
  const book = await findBook(tx, accountId);
  const posted = await post(tx, {
    book,
    kind: 'adjustment',
    subjectId: key,
    key: `adjustment:${key}`,
    legs: { available: micros, adjustments: -micros },
    description: reason,
    at,
  });
  if (posted.outcome === 'insufficient') {
    throw new Refusal('INSUFFICIENT_CREDIT', 'The account has less available credit than this would take.');
  }
  await warnOfLowBalance(tx, deps, accountId, book, posted, at);
  return posted;
}
