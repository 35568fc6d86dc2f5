import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { validateSearch, validateWizardSearch } from './view.ts';

const integrationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations',
  validateSearch: validateSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

const newIntegrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations/new',
  validateSearch: validateWizardSearch,
}).lazy(() => import('./wizard/wizard.tsx').then((module) => module.wizardPage));

export const integrationsRoutes = [integrationsRoute, newIntegrationRoute] as const;
