import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type Answer, api, unwrap } from './client.ts';
import { isRateLimited } from './problem.ts';
import { sendToTabs } from './session-messages.ts';

/** The user, the account, and current values: credit, active calls, own extensions, failing webhooks. */
export type Session = Answer<'/users/me/context'>;

/** UUID of the user for whom this page was loaded. */
let pageUserUuid: string | undefined;

export const hasPageUser = (): boolean => pageUserUuid !== undefined;

/** Whether another user logged in in another tab; this page must then be reloaded. */
export const isOtherUser = ({ user }: Session): boolean =>
  pageUserUuid !== undefined && pageUserUuid !== user.uuid;

async function readSession(): Promise<Session> {
  const session = await unwrap(api.GET('/users/me/context'));
  if (isOtherUser(session)) {
    location.reload();
    // Never resolves: the page is reloading.
    return await new Promise(() => undefined);
  }
  pageUserUuid = session.user.uuid;
  sendToTabs({ kind: 'fresh', session });
  return session;
}

/** A 401 is expected when no user is logged in, so it does not redirect to the login page. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  // Over a limit, the page waits instead of showing an error.
  retry: (_failures, error) => isRateLimited(error),
  meta: { quiet: true },
});

/** For components inside the shell, which renders only for logged-in users. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

export const useIsAdmin = (): boolean => useSession().user.role === 'ADMIN';
