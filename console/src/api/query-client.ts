import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isLoggedOut, isProblem } from './problem.ts';

const mostRetries = 2;

/** A refusal is an answer and will be the same again; only what went missing on the way is asked again. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < mostRetries && isProblem(error) && (error.status === 0 || error.status >= 500);

export function createQueryClient(whenLoggedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (isLoggedOut(error)) whenLoggedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => query.meta?.quiet !== true && onError(error) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => mutation.meta?.quiet !== true && onError(error),
    }),
    defaultOptions: {
      queries: {
        retry: worthRetrying,
        // Live events say when something changed; asking again because a window was focused would be polling.
        staleTime: 60_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
}
