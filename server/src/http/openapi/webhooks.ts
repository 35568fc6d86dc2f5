import { type DescribedWebhook, describeWebhooks } from '../../contexts/webhooks/index.ts';
import type { SchemaConverter } from './schemas.ts';

const headerMeanings: Record<string, string> = {
  'webhook-id':
    'Identifies the event: the same on every attempt and replay. Ignore an id that you already stored.',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
  'webhook-signature':
    'One or more signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, by Standard Webhooks. For 24 hours after a rotation of the secret there are two.',
};

const delivery =
  'Sent to the integrations whose `webhookTypes` list the type. Verify the signature over the raw body. A 2xx within 15 s completes the delivery; anything else is retried for more than three days.';

/** Returns the webhooks of the API description: the requests that we send. */
export const webhookOperations = (convert: SchemaConverter['convert']): object =>
  Object.fromEntries(
    describeWebhooks().map((webhook) => [webhook.type, { post: operationOf(webhook, convert) }]),
  );

function operationOf(
  { type, summary, payload, body, headers }: DescribedWebhook,
  convert: SchemaConverter['convert'],
) {
  return {
    operationId: `receive${type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary,
    description: delivery,
    security: [],
    parameters: Object.entries(headers).map(([name, example]) => ({
      name,
      in: 'header',
      required: true,
      description: headerMeanings[name],
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      // Fields may be added: receivers ignore those that they do not know.
      content: { 'application/json': { schema: convert(payload, 'input'), example: body } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      410: { description: 'No longer wanted: the webhook is disabled.' },
    },
  };
}
