export interface CheckedRequest {
  method: string;
  path: string;
  token?: string;
  body?: unknown;
  /** The client's address, as its proxy forwards it. */
  address?: string;
  headers?: Record<string, string> | undefined;
  /** Time limit of the response, if it is not the subject of the test. */
  timeoutMs?: number;
  /** Returns what is wrong with a response other than 503, if anything. */
  check(answer: Answer): string | undefined;
}

/** The fields that these tests read of any response. */
interface Body {
  id?: string;
  userId?: string;
  uuid?: string;
  email?: string;
  name?: string;
  error?: { statusCode: number; errorCode: string; name: string; message: string };
  length?: number;
  0?: Body;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body | undefined;
  askedAtMs: number;
  tookMs: number;
  /** Why there is no response, or why its 503 is not as specified. */
  fault: string | undefined;
}

/** Maximum time for a response, whatever is broken. */
export const maxResponseMs = 30_000;

export async function sendRequest(url: string, question: Omit<CheckedRequest, 'check'>): Promise<Answer> {
  const askedAtMs = performance.now();
  try {
    const response = await fetch(`${url}${question.path}`, {
      method: question.method,
      headers: {
        ...(question.token ? { authorization: question.token } : {}),
        ...(question.address ? { 'x-forwarded-for': question.address } : {}),
        ...(question.body ? { 'content-type': 'application/json' } : {}),
        ...question.headers,
      },
      ...(question.body ? { body: JSON.stringify(question.body) } : {}),
      signal: AbortSignal.timeout(question.timeoutMs ?? maxResponseMs),
    });
    const text = await response.text();
    const { status, headers } = response;
    const answer = { status, headers, text, body: parsed(text), askedAtMs, fault: undefined };
    return { ...answer, tookMs: performance.now() - askedAtMs, fault: findFault(answer) };
  } catch (error) {
    const { message, cause } = error as Error;
    const fault = `no response: ${message} ${(cause as Error | undefined)?.message ?? ''}`;
    const nothing = { status: 0, headers: new Headers(), text: '', body: undefined };
    return { ...nothing, askedAtMs, tookMs: performance.now() - askedAtMs, fault };
  }
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

const shownCharacters = 200;

// Internal terms, which belong in logs and not in responses.
const internals =
  /postgres|redis|pg-|sql|econn|socket|127\.0\.0\.1|localhost|\.ts\b|\.js\b|node_modules|\bat /i;

function findFault(answer: Pick<Answer, 'status' | 'headers' | 'text' | 'body'>): string | undefined {
  const { status, headers, text, body } = answer;
  if (body === undefined && text !== '')
    return `answered ${status}, not JSON: ${text.slice(0, shownCharacters)}`;
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (status < 500) return undefined;
  if (status !== 503) return `answered ${status}: ${text}`;
  if (!/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) return '503 without Retry-After';
  if (internals.test(text)) return `503 with internals: ${text}`;
  const error = body?.error;
  const promised =
    error?.statusCode === 503 &&
    error.errorCode === 'SERVICE_UNAVAILABLE' &&
    error.name === 'ServiceUnavailable';
  return promised && error.message !== '' ? undefined : `503 in another form: ${text}`;
}
