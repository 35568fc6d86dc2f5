import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { validateSearch } from './view.ts';

const extensionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/extensions',
  validateSearch: validateSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

export const extensionsRoutes = [extensionsRoute] as const;
