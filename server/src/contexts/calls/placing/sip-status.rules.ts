import { type ErrorCode, Refusal } from '../../../platform/errors.ts';

/** More calls at once than there may be: to whoever calls, the line is busy. */
export const tooMany = 486;

/** What a phone or a carrier is answered when the call it began is refused. */
const statuses: Partial<Record<ErrorCode, number>> = {
  ACCESS_DENIED: 403,
  CALLER_ID_NOT_ALLOWED: 403,
  CAPACITY_EXCEEDED: tooMany,
  DESTINATION_NOT_ALLOWED: 403,
  EXTENSION_NOT_REGISTERED: 480,
  INSUFFICIENT_CREDIT: 402,
  NOT_FOUND: 404,
  SPEND_LIMIT_REACHED: 402,
  VALIDATION_ERROR: 404,
};

/** Another node may still take the call: the edge tries one. */
export const notNow = 503;

/** It was taken and cannot be connected: no other node may try it. */
export const cannotConnect = 500;

export const sipStatusOf = (error: unknown): number =>
  (error instanceof Refusal ? statuses[error.code] : undefined) ?? notNow;
