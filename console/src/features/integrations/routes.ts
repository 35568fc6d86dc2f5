import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/frame.ts';

const integrationsRoute = createRoute({ getParentRoute: () => shellRoute, path: '/integrations' }).lazy(() =>
  import('./page.tsx').then((module) => module.page),
);

export const integrationsRoutes = [integrationsRoute] as const;
