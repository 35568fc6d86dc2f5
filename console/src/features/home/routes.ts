import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/frame.ts';

const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: '/' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const homeRoutes = [homeRoute] as const;
