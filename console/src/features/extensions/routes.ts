import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/frame.ts';

const extensionsRoute = createRoute({ getParentRoute: () => shellRoute, path: '/extensions' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const extensionsRoutes = [extensionsRoute] as const;
