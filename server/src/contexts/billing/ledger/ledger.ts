export type Book = 'test' | 'live';

export type TransactionKind = 'charge' | 'refund' | 'chargeback' | 'adjustment' | 'hold' | 'release' | 'call';

/**
 * A movement of money: legs that sum to zero, and an idempotency key. Only refunds and chargebacks may take the
 * available credit below zero.
 */
export interface Posting {
  book: Book;
  kind: TransactionKind;
  subjectId: string;
  key: string;
  legs: Partial<Record<Ledger, number>>;
  description: string;
  at: Date;
}

export type Ledger = 'available' | 'held' | 'revenue' | 'gateway' | 'adjustments';

export interface Balance {
  availableMicros: number;
  heldMicros: number;
}

export type PostOutcome = (
  | { outcome: 'posted'; becameLow: boolean }
  | { outcome: 'replayed' }
  | { outcome: 'insufficient' }
) &
  Balance & {
    /** Cost of calls since midnight in Sao Paulo. */
    spentTodayMicros: number;
  };
