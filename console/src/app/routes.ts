import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { isLoggedOut } from '../api/problem.ts';
import { createQueryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { validateSearch as validateAudit } from '../features/audit/view.ts';
import { validateLoginSearch, validateResetSearch } from '../features/auth/search.ts';
import { validateSearch as validateCalls } from '../features/calls/view.ts';
import { validateSearch as validateContacts } from '../features/contacts/view.ts';
import { validateSearch as validateCredit } from '../features/credit/view.ts';
import { validateSearch as validateExtensions } from '../features/extensions/view.ts';
import { validateSearch as validateHome } from '../features/home/view.ts';
import {
  validateSearch as validateIntegrations,
  validateWizardSearch,
} from '../features/integrations/view.ts';
import { validateSearch as validatePeople } from '../features/people/view.ts';
import { validateSearch as validateRequests } from '../features/requests/view.ts';
import { validateSearch as validateTeam } from '../features/team/view.ts';
import { currentLanguage, languages, setLanguage } from '../locales/language.ts';
import { cacheTimeZone, clearCachedTimeZone } from '../shared/time/cached-time-zone.ts';

export const queryClient = createQueryClient();

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

const shellRoute = createRoute({
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

/** Pages for users who are not logged in. */
const outside = { getParentRoute: () => rootRoute };
const inShell = { getParentRoute: () => shellRoute };

export const routeTree = rootRoute.addChildren([
  createRoute({ ...outside, path: '/login', validateSearch: validateLoginSearch }).lazy(() =>
    import('../features/auth/login.tsx').then((module) => module.loginPage),
  ),
  createRoute({ ...outside, path: '/signup' }).lazy(() =>
    import('../features/auth/sign-up.tsx').then((module) => module.signUpPage),
  ),
  createRoute({ ...outside, path: '/forgotten-password' }).lazy(() =>
    import('../features/auth/forgot-password.tsx').then((module) => module.forgotPasswordPage),
  ),
  createRoute({ ...outside, path: '/reset-password', validateSearch: validateResetSearch }).lazy(() =>
    import('../features/auth/reset-password.tsx').then((module) => module.resetPasswordPage),
  ),
  createRoute({ ...outside, path: '/undo-email', validateSearch: validateResetSearch }).lazy(() =>
    import('../features/auth/undo-email.tsx').then((module) => module.undoEmailPage),
  ),
  createRoute({ ...outside, path: '/invitation', validateSearch: validateResetSearch }).lazy(() =>
    import('../features/auth/invitation.tsx').then((module) => module.invitationPage),
  ),
  createRoute({ ...outside, path: '/sso/callback' }).lazy(() =>
    import('../features/auth/sso-callback.tsx').then((module) => module.ssoCallbackPage),
  ),
  shellRoute.addChildren([
    createRoute({ ...inShell, path: '/', validateSearch: validateHome }).lazy(() =>
      import('../features/home/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/calls', validateSearch: validateCalls }).lazy(() =>
      import('../features/calls/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/calls/$id' }).lazy(() =>
      import('../features/calls/details/call-page.tsx').then((module) => module.callPage),
    ),
    createRoute({ ...inShell, path: '/contacts', validateSearch: validateContacts }).lazy(() =>
      import('../features/contacts/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/extensions', validateSearch: validateExtensions }).lazy(() =>
      import('../features/extensions/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/team', validateSearch: validateTeam }).lazy(() =>
      import('../features/team/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/people', validateSearch: validatePeople }).lazy(() =>
      import('../features/people/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/integrations', validateSearch: validateIntegrations }).lazy(() =>
      import('../features/integrations/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/integrations/new', validateSearch: validateWizardSearch }).lazy(() =>
      import('../features/integrations/wizard/wizard.tsx').then((module) => module.wizardPage),
    ),
    createRoute({ ...inShell, path: '/requests', validateSearch: validateRequests }).lazy(() =>
      import('../features/requests/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/credit', validateSearch: validateCredit }).lazy(() =>
      import('../features/credit/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/audit', validateSearch: validateAudit }).lazy(() =>
      import('../features/audit/page.tsx').then((module) => module.page),
    ),
    createRoute({ ...inShell, path: '/settings' }).lazy(() =>
      import('../features/settings/page.tsx').then((module) => module.page),
    ),
  ]),
]);
