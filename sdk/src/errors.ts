import type { errorStatuses } from './generated/error-codes.ts';

/** Error codes of the API; see docs/reference. */
export type ApiErrorCode = keyof typeof errorStatuses;

/** Codes of errors that occur without a response of the API. */
export type ClientErrorCode =
  /** No connection, or it broke before the response was complete. */
  | 'UNREACHABLE'
  /** No complete response within `timeoutMs`. */
  | 'TIMEOUT'
  /** The response is not from the API but, for example, from a proxy or a wrong `baseUrl`. */
  | 'UNEXPECTED_ANSWER';

export type ErrorCode = ApiErrorCode | ClientErrorCode;

/** One validation error of a request, with its path in the body or query. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

type FaultsOf<Code> = Code extends 'VALIDATION_ERROR' ? [Fault, ...Fault[]] : Fault[];
type StatusOf<Code> = Code extends ApiErrorCode ? (typeof errorStatuses)[Code] : number;

export interface ErrorFacts {
  message: string;
  status?: number;
  requestId?: string | undefined;
  faults?: Fault[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A failed request. Act on `code`, which is stable; `is` narrows by it. */
export class DiscaError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  /** HTTP status; 0 without a response. */
  readonly status: StatusOf<Code>;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** All validation errors; empty unless the code is VALIDATION_ERROR, INVALID_FILTER or SECOND_FACTOR_REQUIRED. */
  readonly faults: FaultsOf<Code>;
  /** Seconds after which to retry, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'DiscaError';
    this.code = code;
    this.status = (facts.status ?? 0) as StatusOf<Code>;
    this.requestId = facts.requestId;
    this.faults = (facts.faults ?? []) as FaultsOf<Code>;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }

  is<Asked extends ErrorCode>(...codes: Asked[]): this is DiscaError<Asked> {
    return (codes as string[]).includes(this.code);
  }
}

/** Returns whether a thrown value is a failed request and, if codes are given, has one of them. */
export const isDiscaError = <Asked extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Asked[]
): error is DiscaError<Asked> => error instanceof DiscaError && (codes.length === 0 || error.is(...codes));

/** Parses a successful response. An HTML page is an error, whatever its status. */
export function contentOf(response: Response, text: string): unknown {
  if (text === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) return JSON.parse(text);
  if (type.includes('csv')) return text;
  throw new DiscaError('UNEXPECTED_ANSWER', { status: response.status, message: unexpected(response) });
}

interface ErrorBody {
  error?: { errorCode?: unknown; message?: unknown; details?: Fault[] };
}

/** Converts an error response, of the API or of a proxy. */
export function errorOf(response: Response, text: string): DiscaError {
  const error = parse(text)?.error;
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readRetryAfter(response),
  };
  if (typeof error?.errorCode === 'string' && typeof error.message === 'string') {
    // Codes of a newer service that this package does not know are passed on.
    return new DiscaError(error.errorCode as ApiErrorCode, {
      ...facts,
      message: error.message,
      faults: error.details,
    });
  }
  return new DiscaError(refusalByStatus[response.status] ?? 'UNEXPECTED_ANSWER', {
    ...facts,
    message: unexpected(response),
  });
}

/** Errors of HEAD requests have no body. */
const refusalByStatus: Record<number, ApiErrorCode> = { 404: 'NOT_FOUND', 429: 'RATE_LIMITED' };

function unexpected(response: Response): string {
  const location = response.headers.get('location');
  const where = location ? ` and redirected to ${location}` : '';
  return `The response ${response.status}${where} is not from the API. Check baseUrl and proxies.`;
}

function parse(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return undefined;
  }
}

/**
 * Returns when to retry. Every response carries the end of the window, but it is relevant only when the limit is
 * reached.
 */
function readRetryAfter({ status, headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? (status === 429 ? headers.get('ratelimit-reset') : null);
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
