import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../platform/caller.ts';
import { pageHeaders, pageOf } from '../../platform/list-schemas.ts';
import { emptyBody, momentText, refused, validField } from '../../platform/schemas.ts';
import { forPersons, permitted } from '../../platform/scopes.ts';
import {
  deliveriesQuery,
  delivery,
  deliveryParams,
  explainBody,
  explanation,
  integrationParams,
  replayBody,
  replayed,
  testBody,
  testOutcome,
  wholeDelivery,
} from './delivery.schemas.ts';
import { explainCalls } from './explain/explain-calls.ts';
import { healthRoutes } from './health/health.routes.ts';
import { listDeliveries } from './listing/list-deliveries.ts';
import { type ReadDeliveryDeps, readDelivery } from './listing/read-delivery.ts';
import { faultsOfReplay, type ReplayDeps, replayDelivery, replayWindow } from './replay/replay-deliveries.ts';
import { type TestWebhookDeps, testWebhook } from './testing/test-webhook.ts';

type DeliveryRouteDeps = ReadDeliveryDeps & ReplayDeps & TestWebhookDeps;

const tags = ['Integrations'];
const notReplayable = refused(
  '`WEBHOOK_DISABLED`: enable the webhook first; `WEBHOOK_UNPROVEN`: the endpoint has not accepted a webhook yet; or `ACCOUNT_LIMIT`.',
);

export const deliveryRoutes =
  (deps: DeliveryRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(logRoutes(deps));
    await app.register(replayRoutes(deps));
    await app.register(trialRoutes(deps));
    await app.register(healthRoutes(deps));
  };

const logRoutes =
  (deps: DeliveryRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/integrations/:id/deliveries',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'listDeliveries',
          summary: 'List deliveries',
          description:
            "Deliveries to one of the caller's integrations, newest first, each with its attempts. Filters accept `state`, `type`, `failed`, `isTest`, `createdAt` and the other fields of a delivery except `call`; `callId` selects those of a call. Tests are listed as well. Deliveries are kept for 30 days unless the operator configures otherwise.",
          'x-clauses': ['HOOK-22', 'HOOK-26', 'HOOK-38', 'HOOK-39', 'HOOK-40', 'HOOK-41'],
          params: integrationParams,
          querystring: deliveriesQuery,
          response: { 200: pageOf(delivery, 'WebhookDeliveryRecord') },
        },
      },
      async (request, reply) => {
        const page = await listDeliveries(deps, callerOf(request), request.params.id, request.query);
        return reply.headers(pageHeaders(request.url, page)).send(page);
      },
    );

    app.get(
      '/integrations/:id/deliveries/:deliveryId',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'getDelivery',
          summary: 'Read a delivery',
          description:
            'Includes all attempts in full, and the request as it would be sent now. If the caller does not see the call of the event, or its money without the permission `money`, the request and the bodies of responses are null.',
          'x-clauses': ['HOOK-22', 'HOOK-26', 'HOOK-38', 'PERM-04', 'PERM-05'],
          params: deliveryParams,
          response: { 200: wholeDelivery },
        },
      },
      async (request) =>
        await readDelivery(deps, callerOf(request), request.params.id, request.params.deliveryId),
    );
  };

const replayRoutes =
  (deps: DeliveryRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/integrations/:id/deliveries/:deliveryId/replay',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'replayDelivery',
          summary: 'Replay a delivery',
          description:
            'Sends the delivery immediately with the same `webhook-id`, whatever its state; if the attempt fails, the whole retry schedule follows. A delivery whose event the owner of the integration may no longer receive, after a change of role, returns 404.',
          'x-clauses': ['HOOK-22', 'HOOK-25', 'HOOK-26', 'HOOK-36'],
          params: deliveryParams,
          body: emptyBody,
          response: { 200: wholeDelivery, 409: notReplayable },
        },
      },
      async (request) => {
        const { id, deliveryId } = request.params;
        await replayDelivery(deps, callerOf(request), id, deliveryId);
        return await readDelivery(deps, callerOf(request), id, deliveryId);
      },
    );

    app.post(
      '/integrations/:id/replay',
      {
        config: {
          access: permitted('webhooks', forPersons('webhooks')),
          otherFaults: ({ body }) =>
            faultsOfReplay(deps, {
              since: validField(body, 'since', momentText),
              until: validField(body, 'until', momentText),
            }),
        },
        schema: {
          tags,
          operationId: 'replayEvents',
          summary: 'Replay the events of a window',
          description:
            'Runs in the background with the same `webhook-id`s: sends every delivery of the window, including those that wait for a retry, and events that match the integration now but were not sent, except events that its owner may no longer receive. The window must be within the last 30 days.',
          'x-clauses': ['HOOK-22', 'HOOK-25', 'HOOK-27', 'HOOK-36', 'LIMIT-23'],
          params: integrationParams,
          body: replayBody,
          response: { 200: replayed, 409: notReplayable },
        },
      },
      async (request) => await replayWindow(deps, callerOf(request), request.params.id, request.body),
    );
  };

const trialRoutes =
  (deps: DeliveryRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/integrations/:id/test',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'testWebhook',
          summary: 'Send a sample event',
          description:
            'Sends a sample event of a type immediately, signed like any other, and returns the result; `metadata.test` or `test` in it is true. Works even while the webhook is disabled. The test is listed as a delivery, and a webhook that accepted a test can be replayed to.',
          'x-clauses': ['HOOK-28', 'HOOK-35', 'HOOK-39'],
          params: integrationParams,
          body: testBody,
          response: {
            200: testOutcome,
            409: refused('`WEBHOOK_DISABLED`: there is no `webhookUrl`.'),
            429: refused(
              '`CAPACITY_EXCEEDED`: the host got too many requests that it has not accepted; or `RATE_LIMITED`.',
            ),
          },
        },
      },
      async (request) => await testWebhook(deps, callerOf(request), request.params.id, request.body.type),
    );

    app.post(
      '/integrations/:id/explain',
      {
        config: { access: permitted('webhooks', forPersons('webhooks')) },
        schema: {
          tags,
          operationId: 'explainWebhook',
          summary: 'Explain which calls match',
          description:
            'Sends nothing: compares the calls of a window of at most 31 days with the integration as it is now, and returns how many match and why the others do not.',
          'x-clauses': ['HOOK-04', 'HOOK-08', 'HOOK-25'],
          params: integrationParams,
          body: explainBody,
          response: { 200: explanation },
        },
      },
      async (request) => await explainCalls(deps, callerOf(request), request.params.id, request.body),
    );
  };
