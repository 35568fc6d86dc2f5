import { createRouter } from '@tanstack/react-router';
import { onLoggedOut } from '../api/logged-out.ts';
import { isForSomebodyElse, isSomebodyHere, type Session, sessionQuery } from '../api/session.ts';
import { hearTabs } from '../api/tabs.ts';
import { enterRoutes, insideOnly, type LogInSearch } from '../features/auth/routes.ts';
import { callsRoutes } from '../features/calls/routes.ts';
import { creditRoutes } from '../features/credit/routes.ts';
import { extensionsRoutes } from '../features/extensions/routes.ts';
import { homeRoutes } from '../features/home/routes.ts';
import { integrationsRoutes } from '../features/integrations/routes.ts';
import { peopleRoutes } from '../features/people/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { queryClient, rootRoute, shellRoute } from './base-routes.ts';
import { Crash } from './full-page/error-page.tsx';
import { Waiting } from './full-page/loading.tsx';
import { NotFound } from './full-page/not-found.tsx';

const routeTree = rootRoute.addChildren([
  ...enterRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...callsRoutes,
    ...extensionsRoutes,
    ...peopleRoutes,
    ...integrationsRoutes,
    ...creditRoutes,
    ...settingsRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultErrorComponent: Crash,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
});

onLoggedOut(() => {
  // Several requests may be rejected at once; only the first one redirects to the login page.
  if (router.state.location.pathname === '/login') return;
  const next = router.state.location.href;
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  void router.navigate({ to: '/login', search: { next, notice: 'ended' } });
});

hearTabs((news) => {
  const { pathname, search } = router.state.location;
  if (pathname === '/login') {
    // A login in another tab also logs this one in.
    if (news.kind === 'entered') location.assign(insideOnly((search as LogInSearch).next));
    return;
  }
  if (!isSomebodyHere()) return;
  if (news.kind === 'left') location.assign('/login');
  if (news.kind !== 'fresh') return;
  if (isForSomebodyElse(news.session)) location.reload();
  else queryClient.setQueryData<Session>(sessionQuery.queryKey, (known) => known && news.session);
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
