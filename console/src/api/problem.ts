export interface Fault {
  path: string;
  code: string;
  message: string;
}

/** An error response of the API, or a network failure, which has the code UNREACHABLE. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: Fault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: {
    status: number;
    code: string;
    message: string;
    requestId?: string | undefined;
    faults?: Fault[] | undefined;
    retryAfterSeconds?: number | undefined;
  }) {
    super(problem.message);
    this.name = 'Problem';
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.requestId;
    this.faults = problem.faults ?? [];
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

export const isProblem = (error: unknown): error is Problem => error instanceof Problem;
/** Codes of responses with 401 that ask for a second factor instead of a login. */
const factorCodes = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_FAILED'];

export const isLoggedOut = (error: unknown): boolean =>
  isProblem(error) && error.status === 401 && !factorCodes.includes(error.code);
export const isUnreachable = (error: unknown): boolean => isProblem(error) && error.code === 'UNREACHABLE';

export const isRateLimited = (error: unknown): boolean => isProblem(error) && error.code === 'RATE_LIMITED';

export const unreachable = (): Problem =>
  new Problem({ status: 0, code: 'UNREACHABLE', message: 'The service is unreachable.' });

/** Reads the problem from an error response, which may come from a proxy instead of the API. */
export async function readProblem(response: Response, body?: unknown): Promise<Problem> {
  const { error } = (body ?? (await response.json().catch(() => undefined)) ?? {}) as {
    error?: { errorCode?: string; message?: string; details?: Fault[] };
  };
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new Problem({
    status: response.status,
    code: error?.errorCode ?? (response.status >= 500 ? 'UNREACHABLE' : 'UNKNOWN'),
    message: error?.message ?? response.statusText,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    faults: error?.details,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
