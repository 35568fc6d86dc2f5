import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { validateSearch } from './view.ts';

const creditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/credit',
  validateSearch: validateSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

export const creditRoutes = [creditRoute] as const;
