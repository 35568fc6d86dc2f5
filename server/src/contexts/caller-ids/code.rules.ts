import { dayInSaoPaulo, secondsAfter, startOfDay } from '../../platform/time.ts';

export const codeDigits = 6;
export const maxAttempts = 5;
export const maxCallsPerDay = 3;
/** Calls to one number by all accounts, so that a person is not rung by many of them. */
export const maxTotalCallsPerDay = 5;
const lifetimeSeconds = 600;

export const codeExpiry = (at: Date): Date => secondsAfter(at, lifetimeSeconds);

/** Seconds until a number may be called with a code again. */
export function secondsToTomorrow(at: Date): number {
  const today = startOfDay(dayInSaoPaulo(at));
  // 26 hours after the start of a day is always in the next day, even when daylight saving time changes.
  const tomorrow = startOfDay(dayInSaoPaulo(secondsAfter(today, 26 * 3600)));
  return Math.ceil((tomorrow.getTime() - at.getTime()) / 1000);
}
