import type { Caller } from '../../../platform/caller.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { type Actor, recordChange } from '../../audit/index.ts';
import { findBook, post } from './ledger.store.ts';
import type { Balance, Book } from './ledger.ts';
import { type LowBalanceDeps, warnOfLowBalance } from './low-balance.ts';

interface Adjustment {
  accountId: number;
  micros: number;
  reason: string;
  key: string;
  at: Date;
  /** Set if a user made the adjustment rather than the operator. */
  caller?: Caller;
}

/** Adds or removes credit, with a reason shown in the customer's statement. */
export async function adjustCredit(
  tx: Tx,
  deps: LowBalanceDeps & { actor?: Actor | undefined },
  adjustment: Adjustment,
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
    throw new Refusal('INSUFFICIENT_CREDIT', 'The account has less available credit than this would remove.');
  }
  if (posted.outcome === 'posted') await recordAdjustment(tx, adjustment, book, deps.actor ?? null);
  await warnOfLowBalance(tx, deps, accountId, book, posted, at);
  return posted;
}

async function recordAdjustment(
  tx: Tx,
  { accountId, micros, reason, at, caller }: Adjustment,
  book: Book,
  operator: Actor | null,
): Promise<void> {
  await recordChange(tx, {
    accountId,
    at,
    actor: caller ?? operator,
    origin: caller?.origin ?? { address: 'operator', requestId: '' },
    action: 'credit.adjust',
    target: { type: 'account', id: String(accountId) },
    after: { amount: reaisFromMicros(micros), reason, book },
  });
}
