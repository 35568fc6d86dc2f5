import { STATUS_CODES } from 'node:http';
import { type ErrorCode, type Fault, Refusal } from '../platform/errors.ts';

/** Maps every error code to its HTTP status. A code without a row does not compile. */
const statuses: Record<ErrorCode, number> = {
  ACCESS_DENIED: 403,
  ACCOUNT_LIMIT: 409,
  ACCOUNT_NOT_APPROVED: 403,
  ADDRESS_UNPROVEN: 403,
  ALREADY_LIVE: 409,
  AUTHORIZATION_REQUIRED: 401,
  CALL_ENDED: 409,
  CALL_NOT_ANSWERED: 409,
  CALLER_ID_CALL_LIMIT: 429,
  CALLER_ID_NOT_ALLOWED: 403,
  CALLING_SUSPENDED: 403,
  CAPACITY_EXCEEDED: 429,
  CHARGE_NOT_CANCELABLE: 409,
  CODE_EXPIRED: 409,
  DESTINATION_NOT_ALLOWED: 403,
  EXTENSION_NOT_REGISTERED: 424,
  FACTOR_LIMIT: 409,
  FILTER_TOO_EXPENSIVE: 400,
  FINANCIAL_ACCOUNT_INACTIVE: 409,
  IDEMPOTENCY_CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  INSUFFICIENT_CREDIT: 402,
  INTEGRATION_LIMIT: 409,
  INTERNAL_ERROR: 500,
  INVALID_FILTER: 400,
  INVALID_TOKEN: 401,
  LAST_ADMIN: 409,
  LAST_FACTOR: 409,
  LOGIN_FAILED: 401,
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: 401,
  MALFORMED_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_FOUND: 404,
  NO_TRANSFER: 409,
  OPEN_CHARGE_EXISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  PAYMENTS_UNAVAILABLE: 503,
  PROOF_REQUIRED: 403,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  RECORDING_LINK_EXPIRED: 410,
  RECORDING_NOT_READY: 404,
  SECOND_FACTOR_FAILED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  SERVICE_UNAVAILABLE: 503,
  SPEND_LIMIT_REACHED: 403,
  SSO_DOMAIN_TAKEN: 409,
  SSO_DOMAIN_UNPROVED: 409,
  SSO_EXEMPT_ADMIN: 409,
  SSO_NOT_CONFIGURED: 404,
  SSO_PROVIDER_UNAVAILABLE: 503,
  SSO_REFUSED: 401,
  SSO_REQUIRED: 403,
  TAX_ID_LOCKED: 409,
  TOKEN_ADDRESS_NOT_ALLOWED: 403,
  TOKEN_LIMIT: 409,
  TOKEN_SCOPE_MISSING: 403,
  TOO_MANY_PARTIES: 409,
  TRANSFER_IN_PROGRESS: 409,
  UNKNOWN_PARAMETER: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  WEBHOOK_DISABLED: 409,
  WEBHOOK_UNPROVEN: 409,
  WRONG_CODE: 422,
};

export interface Problem {
  error: { statusCode: number; errorCode: string; name: string; message: string; details?: Fault[] };
}

export const statusOf = (code: ErrorCode): number => statuses[code];

export function problemOf(refusal: Refusal): Problem {
  const statusCode = statusOf(refusal.code);
  const { code: errorCode, message, details } = refusal;
  // "Too Many Requests" becomes TooManyRequests, as the specification spells it.
  const name = (STATUS_CODES[statusCode] ?? 'Error').replaceAll(/[^A-Za-z]/g, '');
  return { error: { statusCode, errorCode, name, message, ...(details ? { details } : {}) } };
}

/** Errors that the framework raises before our handlers run, as refusals. */
const frameworkRefusals: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('PAYLOAD_TOO_LARGE', 'The body is larger than 64 kB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON with Content-Type: application/json.'),
};

/** Converts every failure to a refusal; an unexpected one becomes a 500 without details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const refusal = code === undefined ? undefined : frameworkRefusals[code];
  if (refusal) return refusal();
  if (error instanceof SyntaxError || statusCode === 400) {
    return new Refusal('MALFORMED_REQUEST', 'The request is malformed: the body must be valid JSON.');
  }
  return new Refusal('INTERNAL_ERROR', 'Internal error. Quote the request id when you contact support.', {
    cause: error,
  });
}
