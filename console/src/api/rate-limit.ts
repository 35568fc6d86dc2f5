import type { Query, QueryClient } from '@tanstack/react-query';
import { isProblem, isRateLimited } from './problem.ts';

const defaultWaitSeconds = 5;

/** When a refused query is sent again, by its error, in milliseconds. */
const retries = new WeakMap<object, number>();

/** Returns when the query that got this error is sent again; undefined if it is not. */
export const retryTimeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null ? retries.get(error) : undefined;

/** Notes that a query which waits for its next attempt is sent again after this time. */
export function noteWait(error: Error, waitMs: number): void {
  if (isRateLimited(error)) retries.set(error, Date.now() + waitMs);
}

/** Sends a query that was refused by a limit again after the time in the response, while a component shows it. */
export function retryAfterLimit(
  queryClient: QueryClient,
  error: Error,
  query: Query<unknown, unknown, unknown>,
): void {
  if (!isRateLimited(error)) return;
  const waitMs = 1_000 * ((isProblem(error) && error.retryAfterSeconds) || defaultWaitSeconds);
  noteWait(error, waitMs);
  setTimeout(() => {
    if (query.state.error !== error) return;
    void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' });
  }, waitMs);
}
