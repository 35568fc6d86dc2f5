import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { emptyBody, idFrom, nothing, refused } from '../../platform/schemas.ts';
import { afterConsoleProof, forPersons, permitted } from '../../platform/scopes.ts';
import {
  changeFrom,
  checkableFrom,
  integration,
  present,
  presentSecret,
  savedIntegration,
  secret,
} from './integration.schemas.ts';
import type { IntegrationDeps } from './integration.ts';
import { listIntegrations } from './list-integrations.ts';
import { removeIntegration } from './remove-integration.ts';
import { faultsOfChange, saveOwnIntegration } from './save-integration.ts';
import { rotateSecret, showSecret } from './show-secret.ts';

const tags = ['Integrations'];
const missing = refused('The caller has no such integration.');

const params = z.object({
  id: z.string().meta({ description: 'The integration.', 'x-refers-to': 'integration', examples: ['1'] }),
});

export const integrationRoutes =
  (deps: IntegrationDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(ownRoutes(deps));
    await app.register(secretRoutes(deps));
  };

const ownRoutes =
  (deps: IntegrationDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.patch(
      '/integrations',
      {
        config: {
          access: permitted('webhooks', forPersons('webhooks')),
          otherFaults: (request) => {
            const { id, ...given } = checkableFrom(request.body);
            const integrationId = id === undefined ? undefined : idFrom(id);
            return faultsOfChange(deps, callerOf(request), integrationId, given);
          },
        },
        schema: {
          tags,
          operationId: 'saveIntegration',
          summary: 'Create or update an integration',
          description:
            "With `id`, updates that integration of the caller. Without it, updates the caller's integration for the same `gateway`, or creates one. Absent fields stay unchanged. `webhookUrl` must be https in a live account, without user or password, with port 80, 443 or 1024 and up, and must resolve to a public address, which is checked on every delivery. A user has at most 100 integrations.",
          'x-clauses': [
            'INTEG-01',
            'INTEG-02',
            'INTEG-04',
            'INTEG-05',
            'INTEG-06',
            'INTEG-07',
            'INTEG-08',
            'INTEG-12',
          ],
          body: savedIntegration,
          response: {
            200: integration,
            404: missing,
            409: refused(
              '`INTEGRATION_LIMIT`: the user has 100 integrations; `ACCOUNT_LIMIT`: the account has as many as it may have.',
            ),
          },
        },
      },
      async (request) => {
        const { id } = request.body;
        const integrationId = id === undefined ? undefined : idFrom(id);
        return present(
          await saveOwnIntegration(deps, callerOf(request), integrationId, changeFrom(request.body)),
        );
      },
    );

    app.get(
      '/integrations',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'listIntegrations',
          summary: "List the caller's integrations",
          description: 'Always an array. Integrations of other users are never listed.',
          'x-clauses': ['INTEG-03', 'INTEG-12', 'LIST-17'],
          querystring: arrayQuery,
          response: { 200: arrayOf(integration, 'IntegrationRecord') },
        },
      },
      async (request, reply) => {
        const list = await listIntegrations(deps, callerOf(request), request.query, present);
        if (list.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', list.total).send(list.items);
      },
    );

    app.delete(
      '/integrations/:id',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'removeIntegration',
          summary: 'Remove an integration',
          description: 'Removes an integration and its deliveries; nothing more is sent.',
          'x-clauses': ['INTEG-13'],
          params,
          response: { 204: nothing },
        },
      },
      async (request) => await removeIntegration(deps, callerOf(request), idFrom(request.params.id)),
    );
  };

const secretRoutes =
  (deps: IntegrationDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/integrations/:id/secret',
      {
        config: { access: afterConsoleProof(permitted('webhooks', forPersons('webhooks'))) },
        schema: {
          tags,
          operationId: 'getWebhookSecret',
          summary: 'Read the secret of an integration',
          description: 'Returned to the owner of the integration only.',
          'x-clauses': ['INTEG-09', 'INTEG-11', 'INTEG-14', 'FACTOR-16'],
          params,
          response: { 200: secret },
        },
      },
      async (request) => presentSecret(await showSecret(deps, callerOf(request), idFrom(request.params.id))),
    );

    app.post(
      '/integrations/:id/secret/rotate',
      {
        config: { access: afterConsoleProof(permitted('webhooks', forPersons('webhooks'))) },
        schema: {
          tags,
          operationId: 'rotateWebhookSecret',
          summary: 'Replace the secret of an integration',
          description:
            'For 24 hours webhooks are signed with both the new and the previous secret, then with the new one only. A second rotation within that time ends the oldest secret immediately.',
          'x-clauses': ['INTEG-10', 'INTEG-11', 'FACTOR-16'],
          params,
          body: emptyBody,
          response: { 200: secret },
        },
      },
      async (request) =>
        presentSecret(await rotateSecret(deps, callerOf(request), idFrom(request.params.id))),
    );
  };
