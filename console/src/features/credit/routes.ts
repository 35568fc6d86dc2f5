import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/frame.ts';

const creditRoute = createRoute({ getParentRoute: () => shellRoute, path: '/credit' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const creditRoutes = [creditRoute] as const;
