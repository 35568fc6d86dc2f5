import { z } from 'zod';
import { momentText, timestampText } from '../../../platform/schemas.ts';

export const summaryQuery = z.strictObject({
  since: momentText.optional().meta({
    description: "ISO 8601; the beginning of the day of `until` in the account's time zone unless given.",
    'x-kind': 'window-start',
  }),
  until: momentText.optional().meta({ description: 'ISO 8601; now unless given.', 'x-kind': 'window-end' }),
});

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

const sum = z.object({
  calls: count.meta({
    description: 'That began, running ones included; all else tells of those that have ended.',
  }),
  ended: count,
  answered: count.meta({ description: 'By their destination.' }),
  answeredShare: share.meta({ description: '`answered` of `ended`; null without any.' }),
  talkSeconds: count,
  averageDuration: z
    .number()
    .nullable()
    .meta({ description: 'Seconds of an answered call; null without any.' }),
  spend: z.number().meta({ description: "What they cost, in reais of the account's present mode." }),
  outbound: count.meta({ description: 'That were placed, of which `short` and `shortShare` tell.' }),
  short: count.meta({ description: 'Not answered, or of at most 6 seconds.' }),
  shortShare: share.meta({ description: '`short` of `outbound`; null without any.' }),
});

export const callSummary = z.object({
  since: timestampText,
  until: timestampText,
  timezone: z.string().meta({ description: 'Of the days and hours.' }),
  live: z
    .object({ total: count, queued: count, ringing: count, dialing: count, answered: count })
    .meta({ description: 'Calls that run now, whatever the window.' }),
  totals: sum,
  byDay: z.array(sum.extend({ day: z.iso.date() })).meta({ description: 'Every day of the window.' }),
  byHour: z
    .array(sum.extend({ hour: z.int().min(0).max(23) }))
    .meta({ description: 'The 24 hours of the day, each summed over all days of the window.' }),
  hangupCauses: z
    .array(z.object({ cause: z.string(), code: z.string(), calls: count }))
    .meta({ description: 'Most frequent first.' }),
  shortCalls: z
    .object({
      seconds: z.int(),
      shareLimit: z.number(),
      callsPerDay: z.int(),
      daysOver: z.array(z.iso.date()).meta({ description: 'Days of the window that were over both.' }),
    })
    .meta({
      description:
        "The regulator's rule: whoever places more than `callsPerDay` calls on a day of which `shareLimit` or more are short is blocked.",
    }),
});
