import { z } from 'zod';
import { searchQueryOf } from '../../../platform/list-schemas.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { internationalText, lineText, timestampText } from '../../../platform/schemas.ts';
import { longestText } from './contact.rules.ts';
import { type Contact, contactSources } from './contact.ts';
import type { RowResult } from './import-contacts.ts';

export const contact = z.object({
  id: z.uuid(),
  number: z.string().meta({ description: 'Digits with country code.' }),
  name: z
    .string()
    .nullable()
    .meta({ examples: ['Marina Alves'] }),
  deal: z
    .string()
    .nullable()
    .meta({
      description: 'The deal, ticket or order that the calls are about.',
      examples: ['Proposal 4711'],
    }),
  source: z.enum(contactSources).meta({
    description:
      'Read from the metadata of calls, imported, or saved by a person or integration. Metadata changes only the first.',
  }),
  createdAt: timestampText,
  updatedAt: timestampText,
});

nameSchemas({ Contact: contact });

export const contactsQuery = searchQueryOf(
  'Words to search for, at most 8. Every word must be the beginning of a word of the name or deal, or of the number in any notation. Case and accents are ignored.',
  'mari 98765',
);

export const presentContact = ({ createdAt, updatedAt, ...rest }: Contact): z.output<typeof contact> => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const contactShape = {
  number: internationalText,
  name: lineText
    .max(longestText)
    .nullable()
    .meta({ description: 'At most 200 characters, or null.', examples: ['Marina Alves'] }),
  deal: lineText
    .max(longestText)
    .nullable()
    .meta({ description: 'At most 200 characters, or null.', examples: ['Proposal 4711'] }),
};

export const lookedUpNumber = z
  .string()
  .max(64)
  .meta({
    description: 'A telephone number in any notation.',
    examples: ['5511987654321'],
    'x-kind': 'destination',
  });

const sentText = z.string().max(1_000).nullish();

export const contactImport = z
  .strictObject({
    contacts: z
      .array(z.strictObject({ number: z.string().max(100), name: sentText, deal: sentText }))
      .min(1)
      .max(500)
      .meta({
        description: 'At most 500 rows. A row needs a number, in any notation, and a name or a deal.',
        examples: [[{ number: '+55 11 98765-4321', name: 'Marina Alves' }]],
      }),
    dryRun: z.boolean().optional().meta({ description: 'Only report what would happen.' }),
  })
  .meta({ id: 'ContactImport' });

const rowResult = z.object({
  outcome: z.enum(['created', 'updated', 'unchanged', 'refused']),
  number: z.string().optional().meta({ description: 'Digits with country code, unless the row is refused.' }),
  path: z
    .string()
    .optional()
    .meta({ description: 'The invalid field of a refused row.', examples: ['number'] }),
  code: z
    .string()
    .optional()
    .meta({ description: 'Kind of error of a refused row.', examples: ['invalid_format'] }),
  message: z
    .string()
    .optional()
    .meta({
      description: 'Human-readable message for a refused row.',
      examples: ['must be a telephone number'],
    }),
});

export const importResult = z.object({
  results: z.array(rowResult).meta({ description: 'One for each row, in the order of the request.' }),
});

nameSchemas({ ContactImportRow: rowResult, ContactImportResult: importResult });

export const presentResult = (result: RowResult): z.output<typeof rowResult> =>
  result.outcome === 'refused' ? { outcome: result.outcome, ...result.fault } : result;
