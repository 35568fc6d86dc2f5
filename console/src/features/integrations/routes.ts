import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../../app/base-routes.ts';
import { keptSearch, keptWizardSearch } from './view.ts';

const integrationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations',
  validateSearch: keptSearch,
}).lazy(() => import('./page.tsx').then((module) => module.page));

const newIntegrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations/new',
  validateSearch: keptWizardSearch,
}).lazy(() => import('./wizard/wizard.tsx').then((module) => module.wizardPage));

export const integrationsRoutes = [integrationsRoute, newIntegrationRoute] as const;
