import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { accessRoutes } from '../contexts/access/access.routes.ts';
import { accountRoutes } from '../contexts/accounts/account.routes.ts';
import { auditRoutes } from '../contexts/audit/audit.routes.ts';
import { billingRoutes } from '../contexts/billing/billing.routes.ts';
import { statementTotalsRoutes } from '../contexts/billing/statement/statement-totals.routes.ts';
import { callerIdRoutes } from '../contexts/caller-ids/caller-id.routes.ts';
import { contactRoutes } from '../contexts/calls/contacts/contact.routes.ts';
import { controlRoutes } from '../contexts/calls/control/control.routes.ts';
import { callListRoutes } from '../contexts/calls/listing/call-list.routes.ts';
import { noteRoutes } from '../contexts/calls/notes/note.routes.ts';
import { callRoutes } from '../contexts/calls/placing/call.routes.ts';
import { chargeRoutes } from '../contexts/charges/charge.routes.ts';
import { financialRoutes } from '../contexts/charges/financial.routes.ts';
import { gatewayEventRoutes } from '../contexts/charges/gateway-events.routes.ts';
import { eventRoutes } from '../contexts/events/event.routes.ts';
import { extensionRoutes } from '../contexts/extensions/extension.routes.ts';
import { phoneSessionRoutes } from '../contexts/extensions/phone-session.routes.ts';
import { integrationRoutes } from '../contexts/integrations/integration.routes.ts';
import { overviewRoutes } from '../contexts/overview/overview.routes.ts';
import { recordingRoutes } from '../contexts/recordings/recording.routes.ts';
import { requestRoutes } from '../contexts/requests/request.routes.ts';
import { paymentPageRoutes } from '../contexts/sandbox/payment-page.routes.ts';
import { sandboxRoutes } from '../contexts/sandbox/sandbox.routes.ts';
import { ssoRoutes } from '../contexts/sso/sso.routes.ts';
import { availabilityRoutes } from '../contexts/users/availability/availability.routes.ts';
import { permissionRoutes } from '../contexts/users/permission.routes.ts';
import { userRoutes } from '../contexts/users/user.routes.ts';
import { deliveryRoutes } from '../contexts/webhooks/delivery.routes.ts';
import { compressedOnce } from './compression.ts';

type DepsOf<Routes extends (deps: never) => unknown> = Parameters<Routes>[0];

export type RouteDeps = DepsOf<typeof accessRoutes> &
  DepsOf<typeof accountRoutes> &
  DepsOf<typeof auditRoutes> &
  DepsOf<typeof availabilityRoutes> &
  DepsOf<typeof billingRoutes> &
  DepsOf<typeof statementTotalsRoutes> &
  DepsOf<typeof callerIdRoutes> &
  DepsOf<typeof callListRoutes> &
  DepsOf<typeof controlRoutes> &
  DepsOf<typeof noteRoutes> &
  DepsOf<typeof contactRoutes> &
  DepsOf<typeof callRoutes> &
  DepsOf<typeof chargeRoutes> &
  DepsOf<typeof deliveryRoutes> &
  DepsOf<typeof eventRoutes> &
  DepsOf<typeof extensionRoutes> &
  DepsOf<typeof financialRoutes> &
  DepsOf<typeof gatewayEventRoutes> &
  DepsOf<typeof integrationRoutes> &
  DepsOf<typeof overviewRoutes> &
  DepsOf<typeof permissionRoutes> &
  DepsOf<typeof phoneSessionRoutes> &
  DepsOf<typeof recordingRoutes> &
  DepsOf<typeof requestRoutes> &
  DepsOf<typeof sandboxRoutes> &
  DepsOf<typeof ssoRoutes> &
  DepsOf<typeof userRoutes>;

/** All routes of the API, by context. */
export const routes =
  (deps: RouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(accountRoutes(deps));
    await app.register(accessRoutes(deps));
    await app.register(ssoRoutes(deps));
    await app.register(userRoutes(deps));
    await app.register(permissionRoutes(deps));
    await app.register(availabilityRoutes(deps));
    await app.register(extensionRoutes(deps));
    await app.register(phoneSessionRoutes(deps));
    await app.register(callListRoutes(deps));
    await app.register(controlRoutes(deps));
    await app.register(noteRoutes(deps));
    await app.register(contactRoutes(deps));
    await app.register(callRoutes(deps));
    await app.register(callerIdRoutes(deps));
    await app.register(billingRoutes(deps));
    await app.register(statementTotalsRoutes(deps));
    await app.register(chargeRoutes(deps));
    await app.register(financialRoutes(deps));
    await app.register(gatewayEventRoutes(deps));
    await app.register(sandboxRoutes(deps));
    await app.register(recordingRoutes(deps));
    await app.register(integrationRoutes(deps));
    await app.register(deliveryRoutes(deps));
    await app.register(eventRoutes(deps));
    await app.register(overviewRoutes(deps));
    await app.register(auditRoutes(deps));
    await app.register(requestRoutes(deps));
    await app.register(descriptionRoute);
  };

/** Routes of HTML pages besides the API. */
export const pages = (deps: RouteDeps): FastifyPluginAsyncZod => paymentPageRoutes(deps);

const descriptionRoute: FastifyPluginAsyncZod = async (app) => {
  let text: string | undefined;
  app.get(
    '/openapi.json',
    {
      compress: compressedOnce(),
      config: { access: 'PUBLIC' },
      schema: {
        tags: ['Description'],
        operationId: 'getDescription',
        summary: 'This description',
        description: 'OpenAPI 3.1, generated from the running code. For the readable version see /docs.',
        'x-clauses': ['VERSION-03', 'VERSION-04', 'COMPAT-11'],
        response: { 200: z.looseObject({ openapi: z.string() }).meta({ id: 'ApiDescription' }) },
      },
    },
    async (_request, reply) => {
      text ??= JSON.stringify(app.swagger());
      return reply.type('application/json; charset=utf-8').send(text as never);
    },
  );
};
