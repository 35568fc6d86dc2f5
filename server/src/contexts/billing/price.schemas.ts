import { z } from 'zod';
import { nameSchemas } from '../../platform/schema-names.ts';
import { timestampText } from '../../platform/schemas.ts';

const reais = z.number();

const explained = {
  to: z.string(),
  rateDeck: z.string(),
  prefix: z.string().meta({ description: 'The longest prefix of the number that has a rate.' }),
  minutePrice: reais,
  increments: z.object({ minimumSeconds: z.int(), stepSeconds: z.int(), freeSeconds: z.int() }),
  rounding: z.string(),
  duration: z.int().nullable(),
  billedDuration: z.int().nullable(),
  fundedSeconds: z.int(),
  callPrice: reais.nullable(),
  explanation: z.string().meta({ description: 'The computation in one sentence.' }),
  entries: z.array(
    z.object({
      id: z.uuid(),
      type: z.string(),
      at: timestampText,
      available: reais,
      held: reais,
      revenue: reais,
    }),
  ),
};

/** How the price of a call was computed. */
export const priceExplanation = z.object({
  callId: z.uuid(),
  ...explained,
  callPrice: reais.nullable().meta({
    description:
      'The price of the call: that of its first destination and those of `legs`. Null until all of them are known.',
  }),
  legs: z.array(z.object({ ...explained, callPrice: reais.nullable() })).meta({
    description: 'The same for each further leg to a number outside, which has a price of its own.',
  }),
});

nameSchemas({ CallPrice: priceExplanation });

/** The credit of an account. */
export const shownBalance = z
  .object({ balance: reais, held: reais, available: reais, currency: z.literal('BRL') })
  .meta({ id: 'Balance' });

/** The credit of an account, and how many minutes it buys. */
export const shownCredit = shownBalance.extend({
  minutes: z
    .object({
      count: z.int().min(0).meta({ description: 'Whole minutes that `available` buys.' }),
      prefix: z.string(),
      description: z.string(),
      minutePrice: reais,
    })
    .nullable()
    .meta({ description: 'For calls to a Brazilian mobile number; null if there is no price for them.' }),
});
