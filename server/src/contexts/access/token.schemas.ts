import { z } from 'zod';
import { lineText, timestampText } from '../../platform/schemas.ts';
import { consoleTokenName } from './console-session.rules.ts';
import { defaultTtlSeconds, isTtl, ttlBounds } from './token.rules.ts';

export const ttlSeconds = z
  .int()
  .refine(isTtl, { error: `must be -1 or from ${ttlBounds.min} to ${ttlBounds.max}` })
  .default(defaultTtlSeconds)
  .meta({
    description: `Lifetime in seconds: ${ttlBounds.min} to ${ttlBounds.max}, or -1 for a token that never expires. 14 days unless given.`,
    examples: [3600],
    'x-kind': 'ttl',
  });

export const issuedToken = z.object({
  id: z
    .string()
    .length(64)
    .meta({ description: 'The token: 64 URL-safe characters, shown only in this answer.' }),
  ttl: z.int().meta({ description: 'Lifetime in seconds; -1 never expires.' }),
  created: timestampText,
});

// The rule for new passwords must not stop somebody whose password is older than the rule.
export const givenPassword = z
  .string()
  .min(1)
  .max(256)
  .meta({ examples: ['correct horse battery'], writeOnly: true });

export const tokenName = lineText
  .min(1)
  .max(60)
  .refine((name) => name.toLowerCase() !== consoleTokenName.toLowerCase(), {
    error: `must not be ${consoleTokenName}, as sessions of the console are called`,
  })
  .meta({
    description: `What the token is for, in 1 to 60 characters, other than \`${consoleTokenName}\`.`,
    examples: ['CRM'],
  });
