import { Refusal } from '../../../platform/errors.ts';

/** Spending limits of an account, independent of its credit. */
export interface SpendCap {
  dailySpendMicros: number;
  pricePerMinuteMicros: number;
}

export function refuseHighPrice(cap: SpendCap | undefined, pricePerMinuteMicros: number): void {
  if (cap && pricePerMinuteMicros > cap.pricePerMinuteMicros) {
    throw new Refusal(
      'SPEND_LIMIT_REACHED',
      'The price per minute of this call exceeds the limit of the account.',
    );
  }
}

/**
 * Refuses over the daily cap. Daily spending is the cost of calls since midnight in Sao Paulo plus the holds of running
 * calls.
 */
export function refuseOverspending(cap: SpendCap | undefined, daySpendMicros: number): void {
  if (cap && daySpendMicros > cap.dailySpendMicros) {
    throw new Refusal('SPEND_LIMIT_REACHED', 'The account has reached its daily spending limit for calls.');
  }
}
