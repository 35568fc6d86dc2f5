import { z } from 'zod';
import { isNetwork } from '../../platform/network.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { lineText, timestampText } from '../../platform/schemas.ts';
import { scopes } from '../../platform/scopes.ts';
import { consoleTokenName } from './console-session.rules.ts';
import { defaultTtlSeconds, isTtl, maxAllowedAddresses, ttlBounds } from './token.rules.ts';

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
  id: z.string().length(64).meta({
    description: 'The token: `dsk_` and 60 URL-safe characters, returned only once.',
    format: 'password',
  }),
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

const scope = z.enum(scopes);

export const tokenScopes = z
  .array(scope)
  .min(1)
  .max(scopes.length)
  .meta({ description: 'What the token may be used for.', examples: [['calls:place', 'calls:read']] });

export const allowedAddresses = z
  .array(
    z
      .string()
      .trim()
      .max(50)
      .refine(isNetwork, { error: 'must be an IP address or a network such as 203.0.113.0/24' })
      .meta({ 'x-kind': 'network' }),
  )
  .min(1)
  .max(maxAllowedAddresses)
  .meta({
    description: `Addresses and networks from which the token may be used, IPv4 or IPv6, at most ${maxAllowedAddresses}.`,
    examples: [['203.0.113.0/24', '2001:db8::/32']],
  });

/** A token in a list. */
export const listedToken = z.object({
  prefix: z.string().length(8).meta({ description: 'The first 8 characters of the token.' }),
  name: z.string().nullable().meta({ description: 'Name of the token; `Console` is a console session.' }),
  ttl: z.int(),
  created: timestampText,
  expiresAt: timestampText.nullable().meta({ description: 'Null if the token never expires.' }),
  lastUsedAt: timestampText.nullable().meta({ description: 'Last use, to the minute; null if never used.' }),
  scopes: z
    .array(scope)
    .nullable()
    .meta({ description: 'Null for a token without scopes, which may do everything that its user may.' }),
  allowedAddresses: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Null for a token that may be used from every address.' }),
});

export const listedServiceToken = listedToken.extend({
  uuid: z.uuid().meta({ description: 'The author in the audit log of what the token changes.' }),
  createdBy: z
    .string()
    .nullable()
    .meta({ description: 'E-mail of the user who created the token; null if the user was removed.' }),
});
