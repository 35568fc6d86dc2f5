import { Refusal } from '../../../platform/errors.ts';
import type { CallSlot } from '../../billing/index.ts';
import type { Caps } from './caps.rules.ts';

/** Retry-After in seconds. With ten concurrent calls, one of them ends after about this time. */
const callEndsSeconds = 10;

export const slotRefusal = (limit: 'rate' | 'concurrency', callsPerSecond?: number): Refusal =>
  limit === 'rate'
    ? new Refusal(
        'CAPACITY_EXCEEDED',
        `The account may place ${callsPerSecond} calls per second. Try again shortly.`,
        { retryAfterSeconds: 1 },
      )
    : new Refusal(
        'CAPACITY_EXCEEDED',
        'The account has reached its limit of concurrent calls. Try again when a call has ended.',
        { retryAfterSeconds: callEndsSeconds },
      );

export const inboundRefusal = (): Refusal =>
  new Refusal(
    'CAPACITY_EXCEEDED',
    'The called number has reached its limit of concurrent calls. Try again when a call has ended.',
    { retryAfterSeconds: callEndsSeconds },
  );

/** Returns the slot of a call that the account places. */
export const slotOf = ({ callsPerSecond, concurrentCalls }: Caps): CallSlot => ({
  callsPerSecond,
  concurrentCalls,
  refusal: (limit) => slotRefusal(limit, callsPerSecond),
});
