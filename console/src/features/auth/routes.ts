import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/base-routes.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const given = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

export interface LogInSearch {
  /** Path to open after login. */
  next?: string | undefined;
  /** Result of the confirmation link. */
  confirmation?: string | undefined;
  notice?: string | undefined;
}

/** Returns the path if it is on this site; prevents open redirects. */
export const insideOnly = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';

const logInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LogInSearch =>
    given({
      next: text(search.next),
      confirmation: text(search.confirmation),
      notice: text(search.notice),
    }),
}).lazy(() => import('./login.tsx').then((module) => module.logInPage));

const signUpRoute = createRoute({ getParentRoute: () => rootRoute, path: '/signup' }).lazy(() =>
  import('./sign-up.tsx').then((module) => module.signUpPage),
);

const forgottenRoute = createRoute({ getParentRoute: () => rootRoute, path: '/forgotten-password' }).lazy(
  () => import('./forgot-password.tsx').then((module) => module.forgottenPage),
);

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } =>
    given({ token: text(search.token) }),
}).lazy(() => import('./reset-password.tsx').then((module) => module.resetPage));

export const enterRoutes = [logInRoute, signUpRoute, forgottenRoute, resetRoute] as const;
