import { z } from 'zod';
import { nameSchemas } from '../../platform/schema-names.ts';
import { lineText, timestampText } from '../../platform/schemas.ts';
import { consoleTokenName } from './console-session.rules.ts';
import { defaultTtlSeconds, isTtl, ttlBounds } from './token.rules.ts';

export const ttlSeconds = z
  .int()
  .refine(isTtl, { error: `must be -1 or from ${ttlBounds.min} to ${ttlBounds.max}` })
  .default(defaultTtlSeconds)
  .meta({
    description: `Lifetime in seconds: ${ttlBounds.min} to ${ttlBounds.max}, or -1 for a token that never expires. Defaults to 14 days.`,
    examples: [3600],
    'x-kind': 'ttl',
  });

export const issuedToken = z.object({
  id: z
    .string()
    .length(64)
    .meta({ description: 'The token: 64 URL-safe characters, returned only once.', format: 'password' }),
  ttl: z.int().meta({ description: 'Lifetime in seconds; -1 never expires.' }),
  created: timestampText,
});

nameSchemas({ Token: issuedToken });

// Older passwords may not satisfy the rule for new ones.
export const givenPassword = z
  .string()
  .min(1)
  .max(256)
  .meta({ examples: ['correct horse battery'], writeOnly: true });

export const tokenName = lineText
  .min(1)
  .max(60)
  .refine((name) => name.toLowerCase() !== consoleTokenName.toLowerCase(), {
    error: `must not be ${consoleTokenName}, which is reserved for console sessions`,
  })
  .meta({
    description: `Name of the token, 1 to 60 characters, other than \`${consoleTokenName}\`.`,
    examples: ['CRM'],
  });
