import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../../platform/caller.ts';
import type { Database } from '../../../platform/db/database.ts';
import { forPersons, permitted } from '../../../platform/scopes.ts';
import { listCallDeliveries } from '../listing/list-call-deliveries.ts';
import { callDeliveries, callParams, integrationHealth } from './health.schemas.ts';
import { readHealth } from './read-health.ts';

const tags = ['Integrations'];

export const healthRoutes =
  (deps: { db: Database }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/integrations/health',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'listIntegrationHealth',
          summary: 'Integration health',
          description:
            'All integrations of the caller with their state: `off` (no webhook is sent), `disabled` (disabled by the service), `failing` (only failures recently), `waiting` (nothing sent yet) or `working`.',
          'x-clauses': ['HOOK-31'],
          response: { 200: integrationHealth },
        },
      },
      async (request) => await readHealth(deps, callerOf(request)),
    );

    app.get(
      '/calls/:id/deliveries',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'listCallDeliveries',
          summary: 'List the deliveries of a call',
          description:
            "For every integration of the caller: the deliveries of the call's events with their attempts, and why no event of the call would be sent by the integration as it is now.",
          'x-clauses': ['HOOK-30'],
          params: callParams,
          response: { 200: callDeliveries },
        },
      },
      async (request) => await listCallDeliveries(deps, callerOf(request), request.params.id),
    );
  };
