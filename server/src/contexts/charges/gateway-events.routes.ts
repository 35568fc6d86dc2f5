import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { refused } from '../../platform/schemas.ts';
import { type ReceiveDeps, receiveNotification } from './receive-notification.ts';

/** Endpoint for gateway notifications. Gateways authenticate with a secret and are not rate limited. */
export const gatewayEventRoutes =
  (deps: ReceiveDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/gateways/:gateway/events',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags: ['Charges'],
          operationId: 'reportGatewayEvent',
          summary: 'Receive a payment gateway notification',
          description:
            'The content is not trusted: the payment is read from the gateway before anything is credited. A notification without the secret returns 401. Not rate limited.',
          'x-clauses': ['CHARGE-19', 'LIMIT-15'],
          params: z.object({
            gateway: z.string().meta({
              description: 'The gateway that sends the notification.',
              'x-refers-to': 'gateway',
              examples: ['sandbox'],
            }),
          }),
          body: z.looseObject({}).meta({ id: 'GatewayEvent', 'x-kind': 'gateway-event' }),
          response: {
            200: z.object({ received: z.literal(true) }).meta({ id: 'GatewayReceipt' }),
            401: refused('The notification does not carry the secret of the gateway.'),
          },
        },
      },
      async (request) => {
        await receiveNotification(deps, request.params.gateway, request.headers, request.body);
        return { received: true as const };
      },
    );
  };
