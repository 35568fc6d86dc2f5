import { z } from 'zod';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { phoneSpelling, timestampText } from '../../../platform/schemas.ts';
import type { ShownLeg } from './control-call.store.ts';
import type { ControlledCall } from './control-call.ts';

const given = z.strictObject({
  by: z
    .enum(['from', 'to'])
    .optional()
    .meta({
      description:
        'The party of the record that acts, for an ADMIN or a USER with the permission `supervision`. By default the extension of the call; of an internal call, the calling one.',
      examples: ['from'],
    }),
});
/** The body is optional. */
export const command = given.nullish();

export const target = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: `The number of an extension of the account, or any other number. ${phoneSpelling}`,
    examples: ['5511987654321'],
    'x-kind': 'phone',
  });

export const newTransfer = given.extend({
  to: target,
  kind: z.enum(['blind', 'attended']).meta({
    description:
      '`blind`: the acting party leaves when the new one rings. `attended`: it talks to the new one first, and then completes or cancels the transfer.',
    examples: ['attended'],
  }),
});

export const newConference = given.extend({ to: target });

const runningLeg = z.object({
  leg: z.string().meta({
    description:
      '`a` for the party that the call started with, `b` for the one that was called, `c` and so on for those that were added.',
    examples: ['a'],
  }),
  role: z
    .enum(['extension', 'destination', 'supervisor'])
    .meta({ description: '`extension` or `destination`, as in `ended_by`.' }),
  number: z.string(),
  status: z.enum(['dialing', 'ringing', 'answered', 'ended']),
  on_hold: z.boolean().meta({ description: 'Whether the party hears music.' }),
  muted: z.boolean().meta({ description: 'Whether the others do not hear the party.' }),
  answered_at: timestampText.nullable(),
  ended_at: timestampText.nullable(),
});

export const controlledCall = z.object({
  id: z.uuid().meta({ description: 'The id in the request.' }),
  status: z.enum(['accepted', 'done']).meta({
    description:
      '`accepted` until the engine has done it, which the events report; `done` if nothing is left to do.',
  }),
  on_hold: z.boolean().meta({ description: 'Whether a party is on hold now.' }),
  legs: z.array(runningLeg),
});

nameSchemas({
  CallCommand: given,
  NewTransfer: newTransfer,
  NewConference: newConference,
  ControlledCall: controlledCall,
  RunningLeg: runningLeg,
});

export const presentControlled = (id: string, { isDone, onHold, legs }: ControlledCall) => ({
  id,
  status: isDone ? ('done' as const) : ('accepted' as const),
  on_hold: onHold,
  legs: legs.map(presentLeg),
});

const presentLeg = ({ state, answered_at, ended_at, ...leg }: ShownLeg) => ({
  ...leg,
  status: state === 'pending' || state === 'dialling' ? ('dialing' as const) : state,
  answered_at: isoTime(answered_at),
  ended_at: isoTime(ended_at),
});

const isoTime = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());
