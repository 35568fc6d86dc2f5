import { z } from 'zod';
import { roles } from '../../platform/caller.ts';
import { callViews, recordingViews } from '../../platform/permissions.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { localeText, timestampText } from '../../platform/schemas.ts';
import { shownCredit } from '../billing/index.ts';
import { budgetedResources } from '../limits/index.ts';
import { availability, presentAvailability } from '../users/index.ts';
import type { readContext } from './read-context.ts';

const count = z.int().min(0);

export const context = z.object({
  user: z.object({
    uuid: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    role: z.enum(roles),
    locale: localeText,
    emailVerified: z.boolean(),
    lacksFactor: z
      .boolean()
      .meta({ description: 'Whether the account requires a second factor that this user does not have.' }),
  }),
  availability: availability.meta({ id: 'OwnAvailability' }),
  account: z.object({
    uuid: z.uuid(),
    name: z.string(),
    domain: z.string(),
    mode: z.enum(['test', 'live']),
    timezone: z.string(),
    balanceLowThreshold: z.number(),
    liveRequestedAt: timestampText
      .nullable()
      .meta({ description: 'Since when a test account waits for live mode; null if it does not.' }),
    callingSuspended: z.boolean().meta({ description: 'Whether outbound calls are suspended.' }),
    awaitsApproval: z.boolean().meta({
      description: 'Whether outbound calls are refused until the operator approves the account.',
    }),
  }),
  permissions: z
    .object({
      calls: z.enum(callViews),
      recordings: z.enum(recordingViews),
      money: z.boolean(),
      webhooks: z.boolean(),
      supervision: z.boolean(),
    })
    .meta({ description: 'What the caller may do; everything for an ADMIN.' }),
  credit: shownCredit
    .extend({ isLow: z.boolean().meta({ description: "True below the account's low-balance threshold." }) })
    .meta({ id: 'Credit' })
    .nullable()
    .meta({ description: 'Null for a USER without the permission `money`.' }),
  liveCalls: count.meta({ description: 'Running calls that the caller sees.' }),
  extensions: z
    .array(z.object({ id: z.int(), ramal: z.string(), registered: z.boolean() }))
    .meta({ description: "The caller's own extensions, at most 100." }),
  softphones: z.object({ tls: z.string().nullable(), plain: z.string().nullable() }).meta({
    description:
      'Registration addresses for softphones, for TLS and for UDP or TCP, as `host:port`; null if they look up the domain of the account.',
  }),
  webhooks: z
    .object({ failing: count, disabled: count })
    .meta({ description: "State of the caller's own integrations." }),
  firstSteps: z
    .object({
      called: z.boolean().meta({ description: 'Whether there is a call that the caller sees.' }),
      webhook: z.boolean().meta({ description: 'Whether the account has a webhook.' }),
    })
    .meta({ description: 'What has been done to set up the account, besides what the other fields show.' }),
});

export const presentContext = (shown: Awaited<ReturnType<typeof readContext>>): z.output<typeof context> => {
  const { user, account } = shown;
  return {
    ...shown,
    user: {
      uuid: user.uuid,
      name: user.name,
      email: user.email,
      phone: user.phone,
      role: user.role,
      locale: user.locale as z.output<typeof localeText>,
      emailVerified: user.emailVerified,
      lacksFactor: user.lacksFactor,
    },
    availability: presentAvailability(shown.availability),
    account: {
      uuid: account.uuid,
      name: account.name,
      domain: account.domain,
      mode: account.mode,
      timezone: account.timezone,
      balanceLowThreshold: account.balanceLowThreshold,
      liveRequestedAt: account.liveRequestedAt?.toISOString() ?? null,
      callingSuspended: account.callingSuspended,
      awaitsApproval: account.awaitsApproval,
    },
    extensions: shown.extensions.map(({ id, ramal, registeredAt }) => ({
      id,
      ramal,
      registered: registeredAt !== null,
    })),
  };
};

const isSet = z
  .boolean()
  .meta({ description: 'Whether the operator set the limit; otherwise it is the default.' });
const reais = z.number();

export const limits = z.object({
  calls: z.object({
    perSecond: z.object({ limit: count, isSet }).meta({ description: 'New calls per second.' }),
    atOnce: z.object({ limit: count, isSet, used: count }),
    spendPerDay: z
      .object({ limit: reais, isSet, used: reais })
      .meta({ description: 'In reais, per day in Sao Paulo; includes holds of running calls.' }),
    pricePerMinute: z.object({ limit: reais, isSet }).meta({ description: 'In reais.' }),
    countries: z
      .object({ allowed: z.array(z.string()), isSet })
      .meta({ description: 'Countries that may be called, by ISO 3166.' }),
  }),
  budgets: z
    .array(
      z.object({
        resource: z.enum(budgetedResources),
        limit: count.nullable().meta({ description: 'Null if there is no budget.' }),
        isSet,
        used: count.nullable().meta({ description: 'Null where use is counted per call or per process.' }),
      }),
    )
    .meta({ description: "The account's share of each resource that accounts have in common." }),
  requests: z.array(
    z.object({
      by: z.enum(['address', 'user', 'extension']).meta({
        description: 'What the limit is counted by: IP address, user, or extension of each user.',
      }),
      requests: count.meta({ description: 'Requests per window.' }),
      windowSeconds: z.int(),
      routes: z
        .array(z.string())
        .meta({ description: 'Routes that share the limit; empty for all routes without another limit.' }),
    }),
  ),
  retention: z
    .object({
      callMonths: z.int().meta({ description: 'Whole months for which calls are kept.' }),
      recordingDays: z.int(),
      eventDays: z.int(),
      deliveryDays: z.int().meta({ description: 'Days for which deliveries are kept and can be replayed.' }),
      requestDays: z.int().meta({ description: 'Days for which the request log is kept.' }),
    })
    .meta({
      description: 'How long data is kept. The operator changes it. Changes and the ledger are kept.',
    }),
});

nameSchemas({ UserContext: context, Limits: limits });
