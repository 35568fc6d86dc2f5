import { Refusal } from '../../../platform/errors.ts';
import type { CallSlot } from '../../billing/index.ts';
import type { Caps } from './caps.rules.ts';

/** Retry-After in seconds. With ten concurrent calls, one of them ends after about this time. */
const callEndsSeconds = 10;

const accountLimits = ['calls_per_second', 'concurrent_calls'];

export const slotRefusal = (limit: 'rate' | 'concurrency', callsPerSecond?: number): Refusal =>
  limit === 'rate'
    ? atLimit(
        'calls_per_second',
        `The account may place ${callsPerSecond} calls per second. Try again shortly.`,
        1,
      )
    : atLimit(
        'concurrent_calls',
        'The account has reached its limit of concurrent calls. Try again when a call has ended.',
        callEndsSeconds,
      );

/** Whether the account has reached one of its own limits of calls. */
export const isAccountLimit = ({ code, details }: Refusal): boolean =>
  code === 'CAPACITY_EXCEEDED' && accountLimits.includes(details?.[0]?.code ?? '');

export const inboundRefusal = (): Refusal =>
  atLimit(
    'called_number',
    'The called number has reached its limit of concurrent calls. Try again when a call has ended.',
    callEndsSeconds,
  );

const atLimit = (code: string, message: string, retryAfterSeconds: number): Refusal =>
  new Refusal('CAPACITY_EXCEEDED', message, { retryAfterSeconds, details: [{ path: '', code, message }] });

/** Returns the slot of a call that the account places. */
export const slotOf = ({ callsPerSecond, concurrentCalls }: Caps): CallSlot => ({
  callsPerSecond,
  concurrentCalls,
  refusal: (limit) => slotRefusal(limit, callsPerSecond),
});
