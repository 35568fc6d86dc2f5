import type { DiscaError } from './errors.ts';

export interface RetryRules {
  /** How many times a request is tried again. */
  retries: number;
  /** A longer wait than this is not waited: the error is thrown, with `retryAfterSeconds`. */
  maxWaitMs: number;
}

export const usualRetryRules: RetryRules = { retries: 3, maxWaitMs: 61_000 };

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** Those who were told the same moment do not come back at the same moment. */
const spreadMs = 1_000;

/** Asked to open a connection, these say that none was made: nothing can have been done. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * How long to wait before the request is tried again; undefined if it is not. What was refused for its rate was not
 * done, whatever it was. All else is tried again only if doing it twice is the same as doing it once.
 */
export function waitBeforeRetryMs(
  error: DiscaError,
  { attempt, isRepeatable, rules }: { attempt: number; isRepeatable: boolean; rules: RetryRules },
  random: () => number = Math.random,
): number | undefined {
  if (attempt > rules.retries || !mayBeTriedAgain(error, isRepeatable)) return undefined;
  const pauseMs =
    error.retryAfterSeconds !== undefined && (error.status === 429 || error.status === 503)
      ? error.retryAfterSeconds * 1000 + random() * spreadMs
      : Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  return pauseMs > rules.maxWaitMs + spreadMs ? undefined : pauseMs;
}

function mayBeTriedAgain(error: DiscaError, isRepeatable: boolean): boolean {
  if (error.is('RATE_LIMITED')) return true;
  if (error.is('UNREACHABLE') && neverLeft.has(systemCode(error.cause))) return true;
  if (!isRepeatable) return false;
  return error.status >= 500 || error.is('UNREACHABLE', 'TIMEOUT', 'IDEMPOTENCY_CONFLICT');
}

/** fetch wraps what the system said. */
function systemCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : cause === undefined ? '' : systemCode(cause);
}
