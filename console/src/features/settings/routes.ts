import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';

const settingsRoute = createRoute({ getParentRoute: () => shellRoute, path: '/settings' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const settingsRoutes = [settingsRoute] as const;
