import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/frame.ts';

const callsRoute = createRoute({ getParentRoute: () => shellRoute, path: '/calls' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const callsRoutes = [callsRoute] as const;
