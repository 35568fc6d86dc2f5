import { z } from 'zod';
import { eventTypes } from '../../platform/event-types.ts';
import { faultOfMetadata } from '../../platform/metadata.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { lineText, optionalId, requestBody, timestampText, validField } from '../../platform/schemas.ts';
import type { Integration } from './integration.ts';
import type { ShownSecret } from './show-secret.ts';

const gateway = lineText
  .min(1)
  .max(100)
  .meta({
    description: 'Name of the connected system, 1 to 100 characters. A user has one integration per gateway.',
    examples: ['hubspot'],
  });

const keysAndValues = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const fault = faultOfMetadata(value);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

const webhook = z.boolean().meta({
  description: 'Whether events are delivered. `true` enables a webhook that was disabled.',
  examples: [true],
});

const webhookConstraint = keysAndValues.nullish().meta({
  description:
    'Only calls whose metadata contains all these keys and values are delivered. Flat, or nested under `metadata`. At most 16 kB, 50 keys and 5 levels.',
  examples: [{ deal: 'D-1024' }],
});

const metadata = keysAndValues.nullish().meta({
  description: `Your own keys and values. With a webhook: \`webhookUrl\`, \`webhookVersion\` (\`1.8\` or \`v1.4\`; defaults to \`1.8\`) and \`webhookTypes\`, a list of ${eventTypes.map((type) => `\`${type}\``).join(', ')}. At most 16 kB, 50 keys and 5 levels.`,
  examples: [
    {
      webhookUrl: 'https://hooks.example.com/disca',
      webhookVersion: '1.8',
      webhookTypes: ['channel-answer', 'channel-hangup'],
    },
  ],
});

const id = optionalId(
  'The integration to update; without it, the one for this `gateway`, or a new one.',
  'integration',
);

export const savedIntegration = requestBody(
  {
    id,
    gateway: gateway.optional(),
    webhook: webhook.optional(),
    webhookConstraint,
    metadata,
  },
  ['webhookDisabledAt', 'webhookDisabledReason'],
).superRefine((body, context) => {
  if (body.id !== undefined || body.gateway !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['gateway'],
    message: 'is required',
    params: { code: 'required' },
  });
});

/** Maps a request body to a change: null clears a field, absent fields stay undefined. */
export const changeFrom = ({ id: _, ...body }: z.output<typeof savedIntegration>) => ({
  ...body,
  webhookConstraint: body.webhookConstraint === null ? {} : body.webhookConstraint,
  metadata: body.metadata === null ? {} : body.metadata,
});

/** Returns the valid fields of a refused body whose faults depend on other data. */
export const checkableFrom = (body: unknown) => ({
  id: validField(body, 'id', id),
  gateway: validField(body, 'gateway', gateway),
  webhook: validField(body, 'webhook', webhook),
  metadata: validField(body, 'metadata', keysAndValues),
});

export const integration = z.object({
  id: z.int(),
  gateway: z.string(),
  webhook: z.boolean(),
  webhookConstraint: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  webhookDisabledAt: timestampText
    .nullable()
    .meta({ description: 'When the webhook was disabled; null if it is enabled.' }),
  webhookDisabledReason: z.string().nullable().meta({ description: 'Why the webhook was disabled.' }),
});

export const present = (shown: Integration): z.output<typeof integration> => ({
  id: shown.id,
  gateway: shown.gateway,
  webhook: shown.webhook,
  webhookConstraint: shown.webhookConstraint,
  metadata: shown.metadata,
  webhookDisabledAt: shown.disabledAt?.toISOString() ?? null,
  webhookDisabledReason: shown.disabledReason,
});

export const secret = z.object({
  secret: z.string().meta({
    description: 'Secret that signs webhooks, in the format of Standard Webhooks.',
    format: 'password',
  }),
  previousSecretUntil: timestampText.nullable().meta({
    description: 'Until when webhooks are also signed with the previous secret; null if they are not.',
  }),
});

nameSchemas({ IntegrationChange: savedIntegration, Integration: integration, WebhookSecret: secret });

export const presentSecret = (shown: ShownSecret): z.output<typeof secret> => ({
  secret: shown.secret,
  previousSecretUntil: shown.previousSecretUntil?.toISOString() ?? null,
});
