import { createRouter } from '@tanstack/react-router';
import { onLoggedOut } from '../api/logged-out.ts';
import { hasPageUser, isOtherUser, type Session, sessionQuery } from '../api/session.ts';
import { onTabMessage } from '../api/session-messages.ts';
import { type LoginSearch, safeRedirect } from '../features/auth/search.ts';
import { ErrorPage } from './full-page/error-page.tsx';
import { Loading } from './full-page/loading.tsx';
import { NotFound } from './full-page/not-found.tsx';
import { queryClient, routeTree } from './routes.ts';

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

onLoggedOut(() => {
  // Several requests may be rejected at once; only the first one redirects to the login page.
  if (router.state.location.pathname === '/login') return;
  const next = router.state.location.href;
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  void router.navigate({ to: '/login', search: { next, notice: 'ended' } });
});

onTabMessage((message) => {
  const { pathname, search } = router.state.location;
  if (pathname === '/login') {
    // A login in another tab also logs this one in.
    if (message.kind === 'loggedIn') location.assign(safeRedirect((search as LoginSearch).next));
    return;
  }
  if (!hasPageUser()) return;
  if (message.kind === 'loggedOut') location.assign('/login');
  if (message.kind !== 'fresh') return;
  if (isOtherUser(message.session)) location.reload();
  else queryClient.setQueryData<Session>(sessionQuery.queryKey, (session) => session && message.session);
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
