import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { isLoggedOut } from '../api/problem.ts';
import { createQueryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { currentLanguage, languages, setLanguage } from '../locales/language.ts';
import { cacheTimeZone, clearCachedTimeZone } from '../shared/time/cached-time-zone.ts';

/** Parent routes of all screens. Features add routes to `shellRoute`, or to `rootRoute` to render outside the shell. */

export const queryClient = createQueryClient();

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    try {
      const { user, account } = await context.queryClient.ensureQueryData(sessionQuery);
      cacheTimeZone(account.timezone);
      const language = languages.find((each) => each === user.locale) ?? currentLanguage();
      await setLanguage(language);
    } catch (error) {
      if (!isLoggedOut(error)) throw error;
      clearCachedTimeZone();
      const next = location.href === '/' ? undefined : location.href;
      redirect({ to: '/login', search: next === undefined ? {} : { next }, throw: true } as never);
    }
  },
}).lazy(() => import('./shell.tsx').then((module) => module.shellPage));
