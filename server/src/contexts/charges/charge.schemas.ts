import { z } from 'zod';
import { reaisFromMicros } from '../../platform/money.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { lineText, requestBody, timestampText } from '../../platform/schemas.ts';
import { startOfDay } from '../../platform/time.ts';
import { type Charge, totalMicros } from './charge.ts';
import { chargeStatuses, paymentMethods } from './gateway.ts';

const method = z.enum(paymentMethods).meta({
  description: 'UNDEFINED lets the payer choose; BOLETO is a bank slip, PIX an instant payment.',
  examples: ['PIX'],
});

const atMostTwoDecimals = (amount: number): boolean => Number(amount.toFixed(2)) === amount;

export const dueDate = z.iso.date().meta({
  description: 'YYYY-MM-DD, from tomorrow to seven days ahead in Sao Paulo.',
  examples: ['2026-11-20'],
  'x-kind': 'due-date',
});

export const newCharge = requestBody(
  {
    paymentMethod: method,
    dueDate,
    amount: z
      .number()
      .gt(5, { error: 'must be more than 5.00' })
      .lt(50_000, { error: 'must be less than 50,000.00' })
      .refine(atMostTwoDecimals, { error: 'must have at most two decimals' })
      .meta({ description: 'Reais, above 5.00 and below 50,000.00.', examples: [50], 'x-kind': 'money' }),
    description: lineText
      .min(1)
      .max(500)
      .meta({ examples: ['Créditos de ligação'] }),
  },
  ['id', 'userId', 'organizationId', 'gateway', 'type', 'status', 'metadata', 'totalAmount', 'taxAmount'],
);

const text = z.string();

export const createdCharge = z.object({
  id: z.int(),
  userId: z.int().meta({ description: 'The number of the user or service token that created the charge.' }),
  organizationId: z.int().meta({ description: 'The number of the account.' }),
  gateway: text.meta({ description: '`asaas` for live accounts, `sandbox` for test accounts.' }),
  type: z.literal('CREDIT'),
  paymentMethod: method,
  paymentId: text,
  paymentLink: text.meta({ description: 'Payment page.' }),
  dueDate: timestampText.meta({ description: 'Midnight of that day in Sao Paulo.' }),
  amount: z.number(),
  totalAmount: z.number().meta({ description: '`amount` plus `taxAmount`.' }),
  description: text,
  status: z.enum(chargeStatuses),
  statusUpdatedAt: timestampText,
  createdAt: timestampText,
  metadata: z.record(z.string(), z.unknown()),
});

export const wholeCharge = createdCharge.extend({
  paymentCode: text.nullable().meta({ description: 'The linha digitável (typeable line) of the bank slip.' }),
  invoiceId: text.nullable(),
  invoiceLink: text.nullable(),
  taxAmount: z.number().meta({ description: 'Our fee on top of the amount.' }),
  paidAt: timestampText.nullable(),
  refundedAt: timestampText.nullable(),
  receivedAt: timestampText.nullable(),
  hasErpInvoice: z.boolean(),
});

/** A single charge; lists have only the fields of the specification. */
export const shownCharge = wholeCharge.extend({
  retainedAmount: z.number().meta({
    description:
      'The part of the paid amount that is not credited yet. Card payments of an account of less than 30 days are credited up to R$ 200 in all, and the rest when the money has arrived, after 30 days at the latest.',
  }),
  retainedUntil: timestampText.nullable(),
});

nameSchemas({
  NewCharge: newCharge,
  CreatedCharge: createdCharge,
  Charge: wholeCharge,
  ShownCharge: shownCharge,
});

export const presentCreated = (charge: Charge): z.output<typeof createdCharge> => ({
  id: charge.id,
  userId: charge.userId,
  organizationId: charge.accountId,
  gateway: charge.gateway,
  type: 'CREDIT',
  paymentMethod: charge.paymentMethod,
  paymentId: charge.paymentId ?? '',
  paymentLink: charge.paymentLink ?? '',
  dueDate: startOfDay(charge.dueDate).toISOString(),
  amount: reaisFromMicros(charge.amountMicros),
  totalAmount: reaisFromMicros(totalMicros(charge)),
  description: charge.description,
  status: charge.status,
  statusUpdatedAt: charge.statusUpdatedAt.toISOString(),
  createdAt: charge.createdAt.toISOString(),
  metadata: {},
});

export const presentWhole = (charge: Charge): z.output<typeof wholeCharge> => ({
  ...presentCreated(charge),
  paymentCode: charge.paymentCode,
  invoiceId: charge.invoiceId,
  invoiceLink: charge.invoiceLink,
  taxAmount: reaisFromMicros(charge.feeMicros),
  paidAt: charge.paidAt?.toISOString() ?? null,
  refundedAt: charge.refundedAt?.toISOString() ?? null,
  receivedAt: charge.receivedAt?.toISOString() ?? null,
  hasErpInvoice: false,
});

export const presentShown = (charge: Charge): z.output<typeof shownCharge> => ({
  ...presentWhole(charge),
  retainedAmount: reaisFromMicros(charge.retainedMicros),
  retainedUntil: charge.retainedMicros > 0 ? (charge.retainedUntil?.toISOString() ?? null) : null,
});
