import type { Tx } from '../../../platform/db/database.ts';
import { post } from './ledger.store.ts';
import type { Book } from './ledger.ts';
import { type LowBalanceDeps, warnOfLowBalance } from './low-balance.ts';

interface PaidCharge {
  accountId: number;
  book: Book;
  chargeId: number;
  amountMicros: number;
  /** Our fee, paid on top of the amount. */
  feeMicros: number;
  at: Date;
  /** Number of earlier credits: a charge is credited again after a chargeback is won. */
  time: number;
}

/** Credits a charge once, however often its payment is reported. */
export async function creditCharge(tx: Tx, charge: PaidCharge): Promise<void> {
  await post(tx, {
    book: charge.book,
    kind: 'charge',
    subjectId: String(charge.chargeId),
    key: `charge:${charge.chargeId}:credit:${charge.time}`,
    legs: {
      available: charge.amountMicros,
      revenue: charge.feeMicros,
      gateway: -(charge.amountMicros + charge.feeMicros),
    },
    description: `Charge ${charge.chargeId}`,
    at: charge.at,
  });
}

/** Reverses the credit of a charge, below zero if necessary; calls are refused until the account is topped up. */
export async function takeBackCharge(
  tx: Tx,
  deps: LowBalanceDeps,
  charge: PaidCharge,
  kind: 'refund' | 'chargeback',
): Promise<void> {
  const posted = await post(tx, {
    book: charge.book,
    kind,
    subjectId: String(charge.chargeId),
    key: `charge:${charge.chargeId}:back:${charge.time}`,
    legs: {
      available: -charge.amountMicros,
      revenue: -charge.feeMicros,
      gateway: charge.amountMicros + charge.feeMicros,
    },
    description: `${kind === 'refund' ? 'Refund' : 'Chargeback'} of charge ${charge.chargeId}`,
    at: charge.at,
  });
  await warnOfLowBalance(tx, deps, charge.accountId, charge.book, posted, charge.at);
}
