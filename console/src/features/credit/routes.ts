import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { keptSearch } from './view.ts';

const creditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/credit',
  validateSearch: keptSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

export const creditRoutes = [creditRoute] as const;
