import { z } from 'zod';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { momentText, timestampText } from '../../../platform/schemas.ts';

export const summaryQuery = z.strictObject({
  since: momentText.optional().meta({
    description: "ISO 8601; by default the start of the day of `until` in the account's time zone.",
    'x-kind': 'window-start',
  }),
  until: momentText.optional().meta({ description: 'ISO 8601; by default now.', 'x-kind': 'window-end' }),
});

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

const sum = z.object({
  calls: count.meta({
    description: 'Calls started, including running ones; other fields count ended calls only.',
  }),
  ended: count,
  answered: count.meta({ description: 'Answered by their destination.' }),
  answeredShare: share.meta({ description: '`answered` / `ended`; null if there are none.' }),
  talkSeconds: count,
  averageDuration: z
    .number()
    .nullable()
    .meta({ description: 'Average talk time of answered calls in seconds; null if there are none.' }),
  spend: z.number().meta({
    description: 'Cost in reais of the calls made in the current mode of the account (test or live).',
  }),
  outbound: count.meta({ description: 'Outbound calls; the base of `short` and `shortShare`.' }),
  short: count.meta({ description: 'Outbound calls that were not answered or lasted at most 6 seconds.' }),
  shortShare: share.meta({ description: '`short` / `outbound`; null if there are none.' }),
});

export const callSummary = z.object({
  since: timestampText,
  until: timestampText,
  timezone: z.string().meta({ description: 'The time zone of days and hours.' }),
  live: z
    .object({ total: count, queued: count, ringing: count, dialing: count, answered: count })
    .meta({ description: 'Calls running now, regardless of the window.' }),
  totals: sum,
  byDay: z.array(sum.extend({ day: z.iso.date() })).meta({ description: 'Every day of the window.' }),
  byHour: z
    .array(sum.extend({ hour: z.int().min(0).max(23) }))
    .meta({ description: 'The 24 hours of the day, each summed over all days of the window.' }),
  hangupCauses: z
    .array(
      z.object({
        cause: z.string(),
        code: z.string(),
        calls: count,
        answered: count.meta({ description: 'Of these, those that the destination answered.' }),
      }),
    )
    .meta({ description: 'Most frequent first.' }),
  shortCalls: z
    .object({
      seconds: z.int(),
      shareLimit: z.number(),
      callsPerDay: z.int(),
      daysOver: z.array(z.iso.date()).meta({ description: 'Days of the window that exceeded both limits.' }),
    })
    .meta({
      description:
        "The regulator's rule: callers that place more than `callsPerDay` calls in a day, of which `shareLimit` or more are short, are blocked.",
    }),
});

nameSchemas({ CallSummary: callSummary, CallTotals: sum });
