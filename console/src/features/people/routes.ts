import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { validateSearch } from './view.ts';

const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  validateSearch: validateSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

export const peopleRoutes = [peopleRoute] as const;
