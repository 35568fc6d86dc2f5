import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../platform/caller.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { noBody, noQuery, refused } from '../../platform/schemas.ts';
import {
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
import { type ReplayDeps, replayDelivery, replayWindow } from './replay/replay-deliveries.ts';
import { type TestWebhookDeps, testWebhook } from './testing/test-webhook.ts';

export type DeliveryRouteDeps = ReadDeliveryDeps & ReplayDeps & TestWebhookDeps;

const tags = ['Integrations'];
const disabled = refused('`WEBHOOK_DISABLED`: enable the webhook first.');

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
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'List deliveries',
          description:
            'What was sent to an integration of the caller, newest first, each with its attempts. Filters take `state`, `type`, `createdAt` and what else a delivery has. Deliveries are kept for 30 days unless the operator decides otherwise.',
          'x-clauses': ['HOOK-22', 'HOOK-26'],
          params: integrationParams,
          querystring: pageQuery,
          response: { 200: pageOf(delivery) },
        },
      },
      async (request, reply) => {
        const found = await listDeliveries(deps, callerOf(request), request.params.id, request.query);
        reply.headers(pageHeaders(request.url, found));
        return reply.send({ data: found.data, meta: found.meta });
      },
    );

    app.get(
      '/integrations/:id/deliveries/:deliveryId',
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Read a delivery',
          description: 'With every attempt in full, and its request as it would be sent now.',
          'x-clauses': ['HOOK-22', 'HOOK-26'],
          params: deliveryParams,
          querystring: noQuery,
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
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Send a delivery again',
          description:
            'At once and with the same `webhook-id`, whatever came of it before; if it fails, by the whole schedule of retries.',
          'x-clauses': ['HOOK-22', 'HOOK-26'],
          params: deliveryParams,
          querystring: noQuery,
          body: noBody,
          response: { 200: wholeDelivery, 409: disabled },
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
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Send the events of a window again',
          description:
            'In the background and with the same `webhook-id`s: every delivery of the window, those that wait for a retry included, and events that the integration would be told of now and was not told of then. The window lies within the last 30 days.',
          'x-clauses': ['HOOK-22', 'HOOK-27'],
          params: integrationParams,
          querystring: noQuery,
          body: replayBody,
          response: { 200: replayed, 409: disabled },
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
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Send a sample',
          description:
            'Sends a made-up event of a type at once, signed as any other, and answers what came of it; `metadata.test` or `test` in it is true. It is also sent while the webhook is disabled, and nothing of it is kept.',
          'x-clauses': ['HOOK-28'],
          params: integrationParams,
          querystring: noQuery,
          body: testBody,
          response: { 200: testOutcome, 409: refused('`WEBHOOK_DISABLED`: there is no `webhookUrl`.') },
        },
      },
      async (request) => await testWebhook(deps, callerOf(request), request.params.id, request.body.type),
    );

    app.post(
      '/integrations/:id/explain',
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Explain which calls are told',
          description:
            'Sends nothing: compares the calls of a window of at most 31 days with the integration as it is now, and tells how many it would be told of and why not of the others.',
          'x-clauses': ['HOOK-04', 'HOOK-08', 'HOOK-25'],
          params: integrationParams,
          querystring: noQuery,
          body: explainBody,
          response: { 200: explanation },
        },
      },
      async (request) => await explainCalls(deps, callerOf(request), request.params.id, request.body),
    );
  };
