import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';

export const homePeriods = ['today', 'month'] as const;
export type HomePeriod = (typeof homePeriods)[number];

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { period?: HomePeriod } =>
    search.period === 'month' ? { period: 'month' } : {},
}).lazy(() => import('./page.tsx').then((module) => module.page));

export const homeRoutes = [homeRoute] as const;
