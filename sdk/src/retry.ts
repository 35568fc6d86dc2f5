import type { DiscaError } from './errors.ts';

export interface RetryRules {
  /** Maximum number of retries. */
  retries: number;
  /** If the wait would be longer, the error is thrown, with `retryAfterSeconds`. */
  maxWaitMs: number;
}

export const usualRetryRules: RetryRules = { retries: 3, maxWaitMs: 61_000 };

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** Jitter, to spread the retries of clients with the same retry time. */
const spreadMs = 1_000;

/** Connection errors after which the request cannot have reached the service. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Returns how long to wait before a retry; undefined for no retry. Rate-limited requests were not processed, so any
 * method is retried. Other errors are retried only for idempotent requests.
 */
export function waitBeforeRetryMs(
  error: DiscaError,
  { attempt, isRepeatable, rules }: { attempt: number; isRepeatable: boolean; rules: RetryRules },
  random: () => number = Math.random,
): number | undefined {
  if (attempt > rules.retries || !mayBeTriedAgain(error, isRepeatable)) return undefined;
  const pauseMs =
    error.retryAfterSeconds !== undefined
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

/** Returns the system's error code; fetch wraps the system error. */
function systemCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : cause === undefined ? '' : systemCode(cause);
}
