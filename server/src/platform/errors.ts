/**
 * The product's errors. Domain code throws a `Refusal` with a stable code and is independent of HTTP; `http/problems.ts`
 * maps codes to statuses.
 */
export const errorCodes = [
  'ACCESS_DENIED',
  'ACCOUNT_LIMIT',
  'ACCOUNT_NOT_APPROVED',
  'ADDRESS_UNPROVEN',
  'ALREADY_LIVE',
  'AUTHORIZATION_REQUIRED',
  'CALL_ENDED',
  'CALL_NOT_ANSWERED',
  'CALLER_ID_CALL_LIMIT',
  'CALLER_ID_NOT_ALLOWED',
  'CALLING_SUSPENDED',
  'CAPACITY_EXCEEDED',
  'CHARGE_NOT_CANCELABLE',
  'CODE_EXPIRED',
  'DESTINATION_NOT_ALLOWED',
  'EXTENSION_NOT_REGISTERED',
  'FACTOR_LIMIT',
  'FILTER_TOO_EXPENSIVE',
  'FINANCIAL_ACCOUNT_INACTIVE',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'INSUFFICIENT_CREDIT',
  'INTEGRATION_LIMIT',
  'INTERNAL_ERROR',
  'INVALID_FILTER',
  'INVALID_TOKEN',
  'LAST_ADMIN',
  'LAST_FACTOR',
  'LOGIN_FAILED',
  'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
  'MALFORMED_REQUEST',
  'METHOD_NOT_ALLOWED',
  'NOT_FOUND',
  'NO_TRANSFER',
  'OPEN_CHARGE_EXISTS',
  'PAYLOAD_TOO_LARGE',
  'PAYMENTS_UNAVAILABLE',
  'PROOF_REQUIRED',
  'RANGE_NOT_SATISFIABLE',
  'RATE_LIMITED',
  'RECORDING_LINK_EXPIRED',
  'RECORDING_NOT_READY',
  'SECOND_FACTOR_FAILED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'SERVICE_UNAVAILABLE',
  'SPEND_LIMIT_REACHED',
  'SSO_DOMAIN_TAKEN',
  'SSO_DOMAIN_UNPROVED',
  'SSO_EXEMPT_ADMIN',
  'SSO_NOT_CONFIGURED',
  'SSO_PROVIDER_UNAVAILABLE',
  'SSO_REFUSED',
  'SSO_REQUIRED',
  'TAX_ID_LOCKED',
  'TOKEN_ADDRESS_NOT_ALLOWED',
  'TOKEN_LIMIT',
  'TOKEN_SCOPE_MISSING',
  'TOO_MANY_PARTIES',
  'TRANSFER_IN_PROGRESS',
  'UNKNOWN_PARAMETER',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_ERROR',
  'WEBHOOK_DISABLED',
  'WEBHOOK_UNPROVEN',
  'WRONG_CODE',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One error of a request, with its path in the body or query. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: Fault[] | undefined;
  /** Seconds after which the same request may succeed, if known. */
  readonly retryAfterSeconds: number | undefined;
  /** The budget of the account that is used up. */
  readonly budget: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: Fault[]; retryAfterSeconds?: number; budget?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'Refusal';
    this.code = code;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.budget = more.budget;
  }
}

export const invalidToken = () =>
  new Refusal('INVALID_TOKEN', 'The access token is invalid. It may have expired or been revoked.');

export const notFound = () => new Refusal('NOT_FOUND', 'Not found.');

export const invalid = (...details: Fault[]) =>
  new Refusal('VALIDATION_ERROR', details.map((fault) => fault.message).join(' '), { details });
