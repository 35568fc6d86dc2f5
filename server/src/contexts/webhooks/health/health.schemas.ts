import { z } from 'zod';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { pathUuid, timestampText } from '../../../platform/schemas.ts';
import { callDelivery, reason } from '../delivery.schemas.ts';
import { outcomes } from '../ports.ts';
import { healthStates } from './health.rules.ts';

const count = z.int().min(0);

export const integrationHealth = z.array(
  z.object({
    integrationId: z.int(),
    gateway: z.string(),
    host: z.string().nullable().meta({ description: 'Host of the webhook URL; null if there is none.' }),
    state: z.enum(healthStates),
    disabledAt: timestampText.nullable(),
    disabledReason: z.string().nullable(),
    failingSince: timestampText.nullable().meta({ description: 'Start of the current series of failures.' }),
    lastDeliveredAt: timestampText.nullable(),
    lastFailedAt: timestampText.nullable(),
    lastFailure: z.enum(outcomes).nullable().meta({ description: 'Outcome of the last failed attempt.' }),
    lastFailureStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of that attempt, if there was a response.' }),
    recent: z
      .object({ delivered: count, pending: count, failed: count })
      .meta({ description: 'States of the newest 100 deliveries.' }),
  }),
);

export const callDeliveries = z.array(
  z.object({
    integrationId: z.int(),
    gateway: z.string(),
    reasons: z
      .array(reason)
      .meta({ description: 'Why no event of the call would be sent; empty if one would.' }),
    deliveries: z.array(callDelivery).meta({ description: 'In the order of the events.' }),
  }),
);

nameSchemas({ IntegrationHealth: integrationHealth.element, CallDeliveries: callDeliveries.element });

export const callParams = z.object({ id: pathUuid('The call.', 'call') });
