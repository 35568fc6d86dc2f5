import { Refusal } from '../../../platform/errors.ts';

/** Spending limits of an account, independent of its credit. */
export interface SpendCap {
  dailySpendMicros: number;
  pricePerMinuteMicros: number;
}

export function refuseHighPrice(cap: SpendCap | undefined, pricePerMinuteMicros: number): void {
  if (cap && pricePerMinuteMicros > cap.pricePerMinuteMicros) {
    throw holdRefusal('minute_price');
  }
}

/**
 * Refuses over the daily cap. Daily spending is the cost of calls since midnight in Sao Paulo plus the holds of running
 * calls.
 */
export function refuseOverspending(cap: SpendCap | undefined, daySpendMicros: number): void {
  if (cap && daySpendMicros > cap.dailySpendMicros) {
    throw holdRefusal('spend');
  }
}

/** Why a call gets no hold: no price, a price per minute over the cap, daily spending over the cap, or no credit. */
export type UnfundedReason = 'price' | 'minute_price' | 'spend' | 'credit';

export function priceRefusal(): Refusal {
  const message = 'There is no price for calls to this number.';
  const details = [{ path: '', code: 'no_price', message }];
  return new Refusal('DESTINATION_NOT_ALLOWED', message, { details });
}

export function holdRefusal(reason: UnfundedReason): Refusal {
  switch (reason) {
    case 'price':
      return priceRefusal();
    case 'minute_price':
      return new Refusal(
        'SPEND_LIMIT_REACHED',
        'The price per minute of this call exceeds the limit of the account.',
      );
    case 'spend':
      return new Refusal(
        'SPEND_LIMIT_REACHED',
        'The account has reached its daily spending limit for calls.',
      );
    case 'credit':
      return new Refusal(
        'INSUFFICIENT_CREDIT',
        'The available credit does not cover the first minute of this call.',
      );
  }
}
