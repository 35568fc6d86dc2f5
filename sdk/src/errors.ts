import type { errorStatuses } from './generated/error-codes.ts';

/** The codes of the API; docs/reference tells what each of them means. */
export type ApiErrorCode = keyof typeof errorStatuses;

/** What goes wrong before the API could answer. */
export type ClientErrorCode =
  /** No connection, or one that broke before the answer was complete. */
  | 'UNREACHABLE'
  /** No complete answer within `timeoutMs`. */
  | 'TIMEOUT'
  /** Something other than the API answered: a proxy, or a wrong `baseUrl`. */
  | 'UNEXPECTED_ANSWER';

export type ErrorCode = ApiErrorCode | ClientErrorCode;

/** One fault of a request, addressed by its path in the body or query. */
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

/** Every failure of a request. Act on `code`, which is stable; `is` narrows by it. */
export class DiscaError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  /** The HTTP status; 0 without an answer. */
  readonly status: StatusOf<Code>;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Every fault of what was sent; none unless the code is VALIDATION_ERROR. */
  readonly faults: FaultsOf<Code>;
  /** When the same request may succeed, if the service said so. */
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

/** Whether something thrown is a failure of a request and, if codes are given, one of these. */
export const isDiscaError = <Asked extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Asked[]
): error is DiscaError<Asked> => error instanceof DiscaError && (codes.length === 0 || error.is(...codes));

/** What a good answer holds. A page for people is no answer, whatever its status. */
export function contentOf(response: Response, text: string): unknown {
  if (text === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) return JSON.parse(text);
  if (type.includes('csv')) return text;
  throw new DiscaError('UNEXPECTED_ANSWER', { status: response.status, message: unexpected(response) });
}

interface Told {
  error?: { errorCode?: unknown; message?: unknown; details?: Fault[] };
}

/** The refusal in an answer, whoever gave it. */
export function errorOf(response: Response, text: string): DiscaError {
  const told = parse(text)?.error;
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: waitOf(response),
  };
  if (typeof told?.errorCode === 'string' && typeof told.message === 'string') {
    // A newer service may know more codes than this package; they are passed on as they are.
    return new DiscaError(told.errorCode as ApiErrorCode, {
      ...facts,
      message: told.message,
      faults: told.details,
    });
  }
  return new DiscaError(refusalByStatus[response.status] ?? 'UNEXPECTED_ANSWER', {
    ...facts,
    message: unexpected(response),
  });
}

/** A HEAD is refused without words. */
const refusalByStatus: Record<number, ApiErrorCode> = { 404: 'NOT_FOUND', 429: 'RATE_LIMITED' };

function unexpected(response: Response): string {
  const location = response.headers.get('location');
  const where = location ? ` and sent us to ${location}` : '';
  return `The answer was ${response.status}${where}, which is not one of the API. Check baseUrl and what stands in between.`;
}

function parse(text: string): Told | undefined {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return undefined;
  }
}

/** The window's end is told with every answer, and is something to wait for only when it is used up. */
function waitOf({ status, headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? (status === 429 ? headers.get('ratelimit-reset') : null);
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
