import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { loggedOut } from './logged-out.ts';
import { isLoggedOut, isProblem } from './problem.ts';
import { noteWait, retryAfterLimit } from './rate-limit.ts';

const maxRetries = 2;
const firstWaitMs = 1_000;

/** Retries network failures and 5xx responses. Requests over a limit are sent again later, see `rate-limit.ts`. */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < maxRetries && isProblem(error) && (error.status === 0 || error.status >= 500);

/** Waits as long as the response says. */
function retryDelay(failures: number, error: Error): number {
  const waitMs =
    isProblem(error) && error.retryAfterSeconds !== undefined
      ? error.retryAfterSeconds * 1_000
      : firstWaitMs * 2 ** failures;
  noteWait(error, waitMs);
  return waitMs;
}

export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (isLoggedOut(error)) loggedOut();
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        retryAfterLimit(queryClient, error, query);
        // After a first success a 401 always means that the session has ended.
        if (query.meta?.quiet !== true || query.state.data !== undefined) onError(error);
      },
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
  return queryClient;
}
