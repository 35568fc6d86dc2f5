import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { loggedOut } from './logged-out.ts';
import { isLoggedOut, isProblem } from './problem.ts';

const mostRetries = 2;

/** A refusal is an answer and will be the same again; only what went missing on the way is asked again. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < mostRetries && isProblem(error) && (error.status === 0 || error.status >= 500);

export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (isLoggedOut(error)) loggedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      // Where there was an answer before, a refusal is never expected.
      onError: (error, { meta, state }) =>
        (meta?.quiet !== true || state.data !== undefined) && onError(error),
    }),
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
