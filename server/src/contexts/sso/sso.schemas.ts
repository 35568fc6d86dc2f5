import { z } from 'zod';
import { nameSchemas } from '../../platform/schema-names.ts';
import { emailText, lineText, timestampText } from '../../platform/schemas.ts';

const mostDomains = 10;

export const domainText = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, {
    error: 'must be a domain such as example.com',
  })
  .meta({ description: 'A domain of e-mail addresses.', examples: ['example.com'], 'x-kind': 'domain' });

/** A domain in the settings of the account. */
export const ownDomainText = domainText.meta({ 'x-refers-to': 'sso-domain' });

/** The e-mail address of someone whose domain is proved for an account. */
export const ssoEmailText = emailText.meta({ 'x-refers-to': 'sso-email' });

export const issuerText = z
  .url()
  .max(500)
  .meta({
    description:
      'The address of the identity provider (issuer), without `/.well-known/openid-configuration`.',
    examples: ['https://login.example.com'],
    'x-kind': 'issuer',
  });

export const wantedSettings = {
  issuer: issuerText,
  clientId: lineText
    .min(1)
    .max(300)
    .meta({ description: 'The client id at the provider.', examples: ['disca'] }),
  clientSecret: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description: 'The client secret at the provider; absent to keep it. It is never returned.',
      writeOnly: true,
      examples: ['uT9pW2xR5kM8'],
    }),
  domains: z
    .array(domainText)
    .max(mostDomains)
    .refine((domains) => new Set(domains).size === domains.length, {
      error: 'must not contain a domain twice',
    })
    .meta({
      description: 'The domains of the e-mail addresses for which the provider may vouch, at most 10.',
      examples: [['example.com']],
    }),
  isRequired: z.boolean().meta({
    description: 'Whether users of the account cannot log in with a password, except `exemptAdmin`.',
    examples: [false],
  }),
  exemptAdmin: z.uuid().nullable().meta({
    description: 'The ADMIN who can always log in with a password; required while `isRequired` is true.',
    'x-refers-to': 'admin',
  }),
};

const ssoDomain = z.object({
  domain: z.string(),
  recordName: z.string().meta({ description: 'The name of the TXT record to add in DNS.' }),
  recordValue: z.string().meta({ description: 'The value of the TXT record.' }),
  provedAt: timestampText.nullable().meta({ description: 'When the record was found; null until then.' }),
});

export const checkedDomain = ssoDomain.extend({
  found: z.array(z.string()).meta({ description: 'The TXT records that DNS returned, at most 10.' }),
});

export const ssoSettings = z.object({
  isConfigured: z.boolean(),
  issuer: z.string().nullable(),
  clientId: z.string().nullable(),
  isRequired: z.boolean(),
  exemptAdmin: z.uuid().nullable(),
  redirectUrl: z.string().meta({ description: 'The address to register at the provider (redirect URI).' }),
  domains: z.array(ssoDomain),
});

export const startedSso = z.object({
  url: z.string().meta({ description: 'Where to send the browser within 10 minutes.' }),
});

export const callbackQuery = z
  .string()
  .min(1)
  .max(8_000)
  .meta({
    description: 'The query with which the provider sent the browser back.',
    examples: ['code=ZxYw&state=AbCd'],
    'x-refers-to': 'sso-callback',
  });

export const finishedSso = z.object({
  purpose: z.enum(['login', 'proof', 'test']),
  email: z.string().meta({ description: 'The e-mail address that the provider returned.' }),
});

nameSchemas({
  SsoDomain: ssoDomain,
  CheckedSsoDomain: checkedDomain,
  SsoSettings: ssoSettings,
  StartedSso: startedSso,
  FinishedSso: finishedSso,
});
