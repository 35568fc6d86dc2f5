import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { loggedOut } from './logged-out.ts';
import { isLoggedOut, isProblem, isRateLimited } from './problem.ts';

const maxRetries = 2;
const firstWaitMs = 1_000;

/** Retries network failures, 5xx responses and requests over a limit; other responses will not change. */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < maxRetries &&
  isProblem(error) &&
  (error.status === 0 || error.status >= 500 || isRateLimited(error));

/** Waits as long as the response says, so that a request over a limit becomes a slow one instead of an error. */
const retryDelay = (failures: number, error: Error): number =>
  isProblem(error) && error.retryAfterSeconds !== undefined
    ? error.retryAfterSeconds * 1_000
    : firstWaitMs * 2 ** failures;

export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (isLoggedOut(error)) loggedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      // After a first success a 401 always means that the session has ended.
      onError: (error, { meta, state }) =>
        (meta?.quiet !== true || state.data !== undefined) && onError(error),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => mutation.meta?.quiet !== true && onError(error),
    }),
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay,
        // Live events report changes; refetching on window focus would be polling.
        staleTime: 60_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
}
