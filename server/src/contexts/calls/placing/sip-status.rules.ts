import { type ErrorCode, Refusal } from '../../../platform/errors.ts';
import type { Unavailability } from '../call.ts';
import { isAccountLimit } from '../limits/slot.rules.ts';

/** Sent for too many concurrent calls; the caller hears a busy tone. */
export const tooMany = 486;

/** The account is at its limit of calls. A busy tone too, but distinct from a busy destination. */
const accountBusy = 600;

/** A limit of the account refuses the call (RFC 8688). Distinct from 402, so that phones can name the cause. */
const overLimit = 608;

/** SIP status sent to a phone or a carrier for a refused call. */
const statuses: Partial<Record<ErrorCode, number>> = {
  ACCESS_DENIED: 403,
  ACCOUNT_NOT_APPROVED: 403,
  CALLING_SUSPENDED: 403,
  CALLER_ID_NOT_ALLOWED: 403,
  CAPACITY_EXCEEDED: tooMany,
  DESTINATION_NOT_ALLOWED: 403,
  EXTENSION_NOT_REGISTERED: 480,
  INSUFFICIENT_CREDIT: 402,
  NOT_FOUND: 404,
  SPEND_LIMIT_REACHED: overLimit,
  VALIDATION_ERROR: 404,
};

/**
 * The response to the caller, and the cause of the call, if the owner of the extension does not take calls: temporarily
 * unavailable (RFC 3398 maps 480 to cause 20), or busy.
 */
export const refusalOfUnavailable: Record<Unavailability, { status: number; hangupCause: string }> = {
  away: { status: 480, hangupCause: 'SUBSCRIBER_ABSENT' },
  do_not_disturb: { status: tooMany, hangupCause: 'INCOMING_CALL_BARRED' },
};

/** Makes the edge try another node. */
export const notNow = 503;

/** The call was accepted but cannot be connected: the edge must not try another node. */
export const cannotConnect = 500;

export function sipStatusOf(error: unknown): number {
  if (!(error instanceof Refusal)) return notNow;
  if (isAccountLimit(error)) return accountBusy;
  return statuses[error.code] ?? notNow;
}
