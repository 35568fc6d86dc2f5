import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, ask } from './client.ts';
import type { paths } from './generated/schema.js';

/** Who sits here, for which account, and how things are: credit, live calls, own extensions, failing webhooks. */
export type Session = paths['/users/me/context']['get']['responses'][200]['content']['application/json'];

/** A refusal is expected where nobody is logged in, so it sends nobody to the log-in by itself. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => ask(api.GET('/users/me/context')),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  meta: { quiet: true },
});

/** For everything inside the shell, which is shown only when somebody is logged in. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

export const useIsAdmin = (): boolean => useSession().user.role === 'ADMIN';
