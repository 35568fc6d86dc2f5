import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, ask } from './client.ts';
import type { paths } from './generated/schema.js';
import { tellTabs } from './tabs.ts';

/** Who sits here, for which account, and how things are: credit, live calls, own extensions, failing webhooks. */
export type Session = paths['/users/me/context']['get']['responses'][200]['content']['application/json'];

/** Whose page this is. */
let personHere: string | undefined;

export const isSomebodyHere = (): boolean => personHere !== undefined;

/** Somebody else may have logged in by another tab. What this page shows is not theirs, so a new one takes its place. */
export const isForSomebodyElse = ({ user }: Session): boolean =>
  personHere !== undefined && personHere !== user.uuid;

async function readSession(): Promise<Session> {
  const session = await ask(api.GET('/users/me/context'));
  if (isForSomebodyElse(session)) {
    location.reload();
    // The page is about to go, and shows nothing of this.
    return await new Promise(() => undefined);
  }
  personHere = session.user.uuid;
  tellTabs({ kind: 'fresh', session });
  return session;
}

/** A refusal is expected where nobody is logged in, so it sends nobody to the log-in by itself. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  meta: { quiet: true },
});

/** For everything inside the shell, which is shown only when somebody is logged in. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

export const useIsAdmin = (): boolean => useSession().user.role === 'ADMIN';
