import { z } from 'zod';
import { faultOfMetadata } from '../../../platform/metadata.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { phoneSpelling, requestBody } from '../../../platform/schemas.ts';

const extension = z
  .string()
  .regex(/^\d{2,8}$/, { error: 'must be 2 to 8 digits' })
  .meta({ description: 'The number of the calling extension.', examples: ['1000'], 'x-refers-to': 'ramal' });

export const destination = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: `The destination. ${phoneSpelling}`,
    examples: ['5511987654321'],
    'x-kind': 'phone',
  });

export const callerId = z.string().max(64).meta({
  description:
    'The number to present. If omitted, or the number of the extension, its `bina` is presented if the account owns it, otherwise the default number of the trunk. Any other must be a caller ID that the account owns.',
  'x-kind': 'caller-id',
});

const metadata = z
  .record(z.string(), z.unknown())
  .default({})
  .superRefine((value, context) => {
    const fault = faultOfMetadata(value);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    description:
      'Your own keys and values, returned in lists and sent in webhooks. At most 16 kB, 50 keys and 5 levels.',
    examples: [{ deal: 'D-1024' }],
  });

export const newCall = requestBody({
  caller: callerId.optional(),
  called: destination,
  extension,
  metadata,
});

export const newDialerCall = requestBody({ extension, phone: destination, metadata });

export const placedCall = z.object({
  status: z.literal('queued'),
  id: z.uuid().meta({ description: 'The id of the call.' }),
  message: z.string(),
});

export const placedDialerCall = z.object({
  id: z.uuid().meta({ description: 'Not the id of the call: can only be used to hang it up.' }),
  message: z.string(),
});

export const hungUpCall = z.object({
  id: z.uuid().meta({ description: 'The id in the request.' }),
  status: z
    .enum(['ending', 'ended'])
    .meta({ description: '`ended` if the call has ended, `ending` if it is about to end.' }),
  message: z.string(),
});

nameSchemas({
  NewCall: newCall,
  PlacedCall: placedCall,
  PlacedDialerCall: placedDialerCall,
  HungUpCall: hungUpCall,
  NewDialerCall: newDialerCall,
});
