import { z } from 'zod';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { lineText, requestBody, timestampText } from '../../../platform/schemas.ts';
import { stateOf } from './availability.rules.ts';
import { type Availability, availabilities, type Presence, presenceStates } from './availability.ts';

const maxReason = 60;

export const statusText = z.enum(availabilities).meta({
  description: 'Calls from outside and from other extensions ring an `available` user only.',
  examples: ['away'],
});

export const reasonText = lineText
  .max(maxReason)
  .nullable()
  .optional()
  .meta({ description: `Reason of the absence, at most ${maxReason} characters.`, examples: ['Lunch'] });

export const newAvailability = requestBody({ status: statusText, reason: reasonText }, ['since']).meta({
  id: 'NewAvailability',
});

export const availability = z.object({
  status: statusText,
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Only with the status `away`.', examples: ['Lunch'] }),
  since: timestampText
    .nullable()
    .meta({ description: 'When status or reason changed last; null if they never did.' }),
});

const personCall = z.object({
  id: z.uuid(),
  direction: z.enum(['inbound', 'outbound', 'internal']),
  number: z.string().meta({
    description: 'The other party: its number, or its extension in an internal call.',
    examples: ['5511987654321'],
  }),
  status: z.enum(['ringing', 'dialing', 'answered']),
  startedAt: timestampText,
  answeredAt: timestampText.nullable(),
});

const presence = availability.extend({
  uuid: z.uuid(),
  name: z.string(),
  state: z.enum(presenceStates).meta({
    description:
      '`in_call` if the person has a running call; otherwise the status, except that an available person without a registered phone is `offline`.',
  }),
  extensions: z
    .array(z.string())
    .meta({ description: 'At most 20 extensions of the person.', examples: [['1000', '1001']] }),
  isRegistered: z.boolean().meta({ description: 'Whether a phone of the person is registered.' }),
  calls: z
    .array(personCall)
    .meta({ description: 'Running calls of the person, at most 20, answered ones first.' }),
});

export const presencePage = z.object({
  data: z.array(presence),
  meta: z.object({
    nextAfter: z
      .uuid()
      .nullable()
      .meta({ description: 'Send this as `after` for the next page; null on the last page.' }),
  }),
});

const maxPeople = 500;

export const presenceQuery = z.strictObject({
  after: z.uuid().optional().meta({ description: '`nextAfter` of the previous page.' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxPeople)
    .optional()
    .meta({ description: `People per page, at most and by default ${maxPeople}.` }),
});

export const usualLimit = maxPeople;

nameSchemas({
  Availability: availability,
  Presence: presence,
  PresenceCall: personCall,
  PresencePage: presencePage,
});

export const presentAvailability = ({ status, reason, since }: Availability) => ({
  status,
  reason,
  since: since?.toISOString() ?? null,
});

export const presentPresence = (person: Presence): z.output<typeof presence> => ({
  uuid: person.uuid,
  name: person.name,
  state: stateOf(person),
  ...presentAvailability(person),
  extensions: person.extensions,
  isRegistered: person.isRegistered,
  calls: person.calls.map((call) => ({
    ...call,
    startedAt: new Date(call.startedAt).toISOString(),
    answeredAt: call.answeredAt && new Date(call.answeredAt).toISOString(),
  })),
});
