import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { validateSearch } from './view.ts';

const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  validateSearch: validateSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

const callRoute = createRoute({ getParentRoute: () => shellRoute, path: '/calls/$id' }).lazy(() =>
  import('./details/call-page.tsx').then((module) => module.callPage),
);

export const callsRoutes = [callsRoute, callRoute] as const;
