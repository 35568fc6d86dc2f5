import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/base-routes.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const withoutUndefined = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

export interface LoginSearch {
  /** Path to open after login. */
  next?: string | undefined;
  /** Result of the confirmation link. */
  confirmation?: string | undefined;
  notice?: string | undefined;
}

/** Returns the path if it is on this site; prevents open redirects. */
export const safeRedirect = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LoginSearch =>
    withoutUndefined({
      next: text(search.next),
      confirmation: text(search.confirmation),
      notice: text(search.notice),
    }),
}).lazy(() => import('./login.tsx').then((module) => module.loginPage));

const signUpRoute = createRoute({ getParentRoute: () => rootRoute, path: '/signup' }).lazy(() =>
  import('./sign-up.tsx').then((module) => module.signUpPage),
);

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
}).lazy(() => import('./forgot-password.tsx').then((module) => module.forgotPasswordPage));

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } =>
    withoutUndefined({ token: text(search.token) }),
}).lazy(() => import('./reset-password.tsx').then((module) => module.resetPasswordPage));

export const authRoutes = [loginRoute, signUpRoute, forgotPasswordRoute, resetPasswordRoute] as const;
