import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, ask } from './client.ts';
import type { paths } from './generated/schema.js';

export type Session = paths['/console/session']['get']['responses'][200]['content']['application/json'];

/** Who sits here. A refusal is expected where nobody does, so it sends nobody to the log-in by itself. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => ask(api.GET('/console/session')),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  meta: { quiet: true },
});

/** For everything inside the shell, which is shown only when somebody is logged in. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

export const useIsAdmin = (): boolean => useSession().user.role === 'ADMIN';
