import { Refusal } from '../../../platform/errors.ts';

/** What an account may spend at most, whatever its credit. */
export interface SpendCap {
  dailySpendMicros: number;
  pricePerMinuteMicros: number;
}

export function refuseHighPrice(cap: SpendCap | undefined, pricePerMinuteMicros: number): void {
  if (cap && pricePerMinuteMicros > cap.pricePerMinuteMicros) {
    throw new Refusal(
      'SPEND_LIMIT_REACHED',
      'A minute of this call costs more than the account may spend on one.',
    );
  }
}

/** A day's spending is what calls have cost since midnight in Sao Paulo and what running ones have put aside. */
export function refuseOverspending(cap: SpendCap | undefined, daySpendMicros: number): void {
  if (cap && daySpendMicros > cap.dailySpendMicros) {
    throw new Refusal('SPEND_LIMIT_REACHED', 'The account has reached what it may spend on calls in a day.');
  }
}
