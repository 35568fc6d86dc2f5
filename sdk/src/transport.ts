import { DiscaError, errorOf, isDiscaError } from './errors.ts';
import { pause } from './pause.ts';
import { type RetryRules, usualRetryRules, waitBeforeRetryMs } from './retry.ts';

export interface DiscaOptions {
  /** Where the service is, such as `https://voice.example.com`. */
  baseUrl: string;
  /** The access token, or how to come by it; not needed to sign up and to log in. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** How long one attempt may take; 30 s unless given. */
  timeoutMs?: number | undefined;
  /** How many times a request is tried again; 3 unless given. */
  retries?: number | undefined;
  /** The longest wait for a rate limit; a minute unless given. With 0 a limit is thrown at once. */
  maxWaitMs?: number | undefined;
  /** Told before a request is tried again. */
  onRetry?: ((retry: { error: DiscaError; attempt: number; waitMs: number }) => void) | undefined;
  /** Sends instead of the global fetch. */
  fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  maxWaitMs?: number | undefined;
  /** For operations that take one: made up unless given. Give your own to repeat a request after a crash. */
  idempotencyKey?: string | undefined;
}

export interface Outgoing {
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Takes an Idempotency-Key. */
  isKeyed?: boolean;
  /** Doing it twice is the same as doing it once; known of a method by itself, unless it is POST or PATCH. */
  isRepeatable?: boolean;
}

export interface Answered {
  response: Response;
  text: string;
}

export interface Transport {
  /** Sends until it is answered well, and reads the answer whole. */
  send(outgoing: Outgoing, options?: RequestOptions): Promise<Answered>;
  /** The same for what is long: the body is left to be read. */
  open(outgoing: Outgoing, options?: RequestOptions): Promise<Response>;
}

const usualTimeoutMs = 30_000;
const repeatableMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

export function createTransport(settings: DiscaOptions): Transport {
  const base = apiUrl(settings.baseUrl);
  const send = settings.fetch ?? fetch;

  async function attempt<Result>(
    outgoing: Outgoing & { key: string | undefined },
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? usualTimeoutMs;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), timeoutMs);
    const signal = options.signal ? AbortSignal.any([ended.signal, options.signal]) : ended.signal;
    try {
      const response = await send(urlOf(base, outgoing), {
        method: outgoing.method,
        headers: await headersOf(settings, outgoing),
        ...(outgoing.body === undefined ? {} : { body: JSON.stringify(outgoing.body) }),
        redirect: 'manual',
        signal,
      });
      if (response.ok || isWantedRedirect(outgoing, response)) return await read(response);
      throw errorOf(response, await response.text());
    } catch (error) {
      if (error instanceof DiscaError) throw error;
      options.signal?.throwIfAborted();
      throw failure(error, ended.signal.aborted ? timeoutMs : undefined, base);
    } finally {
      clearTimeout(timer);
    }
  }

  async function untilAnswered<Result>(
    outgoing: Outgoing,
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const key = outgoing.isKeyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable =
      outgoing.isRepeatable ?? (key !== undefined || repeatableMethods.has(outgoing.method));
    const rules = rulesOf(settings, options);
    let mayBeDone = false;
    for (let number = 1; ; number += 1) {
      try {
        return await attempt({ ...outgoing, key }, options, read);
      } catch (error) {
        if (!isDiscaError(error)) throw error;
        // What an unanswered attempt has removed is not there any more.
        if (mayBeDone && outgoing.method === 'DELETE' && error.is('NOT_FOUND'))
          return await read(new Response(null, { status: 204 }));
        mayBeDone ||= error.status === 0 || error.status >= 500;
        const waitMs = waitBeforeRetryMs(error, { attempt: number, isRepeatable, rules });
        if (waitMs === undefined) throw error;
        settings.onRetry?.({ error, attempt: number, waitMs });
        await pause(waitMs, options.signal);
      }
    }
  }

  return {
    send: (outgoing, options = {}) =>
      untilAnswered(outgoing, options, async (response) => ({ response, text: await response.text() })),
    open: (outgoing, options = {}) => untilAnswered(outgoing, options, async (response) => response),
  };
}

const rulesOf = (settings: DiscaOptions, options: RequestOptions): RetryRules => ({
  retries: options.retries ?? settings.retries ?? usualRetryRules.retries,
  maxWaitMs: options.maxWaitMs ?? settings.maxWaitMs ?? usualRetryRules.maxWaitMs,
});

/** One operation answers with where to go; anywhere else a redirect means that somebody else answered. */
const isWantedRedirect = ({ path }: Outgoing, { status }: Response): boolean =>
  path === '/accounts/confirm' && status >= 300 && status < 400;

/** People paste the address of the console, with or without a slash, or that of the API itself. */
function apiUrl(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '');
  return trimmed.endsWith('/api/v1') ? trimmed : `${trimmed}/api/v1`;
}

function urlOf(base: string, { path, query = {} }: Outgoing): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, textOf(value)])),
  ).toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function headersOf(
  { token }: DiscaOptions,
  { headers, body, key }: Outgoing & { key: string | undefined },
): Promise<Record<string, string>> {
  const given = typeof token === 'function' ? await token() : token;
  return {
    accept: 'application/json',
    ...(given === undefined ? {} : { authorization: `Bearer ${given}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...headers,
  };
}

function failure(cause: unknown, timeoutMs: number | undefined, base: string): DiscaError {
  if (timeoutMs !== undefined)
    return new DiscaError('TIMEOUT', {
      message: `There was no complete answer within ${timeoutMs} ms.`,
      cause,
    });
  return new DiscaError('UNREACHABLE', { message: `${new URL(base).origin} cannot be reached.`, cause });
}
