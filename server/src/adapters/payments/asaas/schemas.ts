import { z } from 'zod';

const text = z
  .string()
  .nullish()
  .transform((value) => value || null);

/** An unknown status fails the read; its meaning must not be guessed. */
const status = z.enum([
  'PENDING',
  'AWAITING_RISK_ANALYSIS',
  'AUTHORIZED',
  'CONFIRMED',
  'RECEIVED',
  'RECEIVED_IN_CASH',
  'OVERDUE',
  'DUNNING_REQUESTED',
  'DUNNING_RECEIVED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'REFUNDED',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
]);

export const asaasPayment = z.object({
  id: z.string().min(1),
  externalReference: text,
  status,
  billingType: z.string(),
  value: z.number(),
  /** The original value, if it was changed. */
  originalValue: z.number().nullish(),
  deleted: z.boolean().default(false),
  invoiceUrl: z.string(),
  invoiceNumber: text,
  bankSlipUrl: text,
  transactionReceiptUrl: text,
  confirmedDate: text,
  clientPaymentDate: text,
  paymentDate: text,
  creditDate: text,
  refunds: z
    .array(z.object({ status: z.string(), value: z.number(), dateCreated: z.string() }))
    .nullish()
    .transform((refunds) => refunds ?? []),
  chargeback: z.object({ status: z.string() }).nullish(),
});

export const asaasCustomer = z.object({
  id: z.string().min(1),
  externalReference: text,
  cpfCnpj: text,
  deleted: z.boolean().default(false),
});

export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item) });

export const asaasDeletion = z.object({ deleted: z.literal(true) });

export const asaasPix = z.object({
  encodedImage: z.string(),
  payload: z.string(),
  expirationDate: z.string(),
});

export const asaasBankSlip = z.object({ identificationField: z.string().min(1) });

export const asaasErrors = z.object({ errors: z.array(z.object({ description: z.string() })).min(1) });

export const asaasEvent = z.object({
  id: z.string().min(1),
  event: z.string().startsWith('PAYMENT_'),
  payment: z.object({ id: z.string().min(1) }),
});

export type AsaasStatus = z.output<typeof status>;
export type AsaasPayment = z.output<typeof asaasPayment>;
