import { z } from 'zod';

export const locales = ['pt-BR', 'en'] as const;
export type Locale = (typeof locales)[number];

/**
 * A single address: no display name, list or line break. Less strict than the sign-up rule, so that every stored
 * address stays deliverable.
 */
const address = z
  .string()
  .max(254)
  .regex(/^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u);

const link = z.url({ protocol: /^https?$/ }).max(2_000);
const companyName = z.string().max(300);
const instant = z.iso.datetime();

const count = z.int().min(0);
const micros = z.number();
/** From 0 to 1. */
const share = z.number();

/** What looked like abuse of an account in 15 minutes. */
const signalFacts = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('spend_velocity'),
    spentMicros: micros,
    highestHourMicros: micros,
    days: count,
  }),
  z.object({
    kind: z.literal('new_destinations'),
    calls: count,
    prefixes: z.array(z.string()),
    highestMinuteMicros: micros,
    usualMinuteMicros: micros,
  }),
  z.object({
    kind: z.literal('outside_hours'),
    calls: count,
    hourOfWeek: z.int().min(0).max(167),
    days: count,
  }),
  z.object({ kind: z.literal('short_calls'), answered: count, share, usualShare: share }),
  z.object({ kind: z.literal('answer_rate'), ended: count, share, usualShare: share }),
  z.object({ kind: z.literal('new_network'), network: z.string(), extensions: z.array(z.string()) }),
]);

/** What happened to the second factors of a user. */
const factorChange = z.enum(['added', 'removed', 'reset', 'recovery-codes-replaced', 'recovery-code-used']);
export type FactorChange = z.infer<typeof factorChange>;

const letter = <Name extends string, Data extends z.ZodType>(template: Name, data: Data) =>
  z.object({ to: address, locale: z.enum(locales), template: z.literal(template), data });

/** Every mail that the product sends. Queued mails survive upgrades, so fields are never renamed. */
export const mailSchema = z.discriminatedUnion('template', [
  letter('confirm-email', z.object({ companyName, link })),
  letter('confirm-new-address', z.object({ link })),
  letter('email-changed', z.object({ newAddress: address, changedAt: instant, link: link.optional() })),
  // `inviterName` is empty if a service token sent the invitation.
  letter('invitation', z.object({ companyName, inviterName: z.string().max(200), link })),
  letter('reset-password', z.object({ link })),
  letter('sign-up-refused', z.object({ link })),
  letter('account-approved', z.object({ companyName, link })),
  letter('balance-low', z.object({ available: z.number(), isTest: z.boolean(), link })),
  letter(
    'webhook-disabled',
    z.object({ gateway: z.string().max(100), host: z.string().max(300), disabledAt: instant, link }),
  ),
  letter('abuse-signal', z.object({ facts: signalFacts, isSuspended: z.boolean(), at: instant, link })),
  letter('password-changed', z.object({ changedAt: instant })),
  letter('new-login', z.object({ address: z.string().max(100), at: instant })),
  letter('token-created', z.object({ name: z.string().max(100), createdAt: instant })),
  letter(
    'second-factor-changed',
    // `name` is the factor's; of a used recovery code, the number of codes left.
    z.object({ change: factorChange, name: z.string().max(100), changedAt: instant }),
  ),
  letter('operator-code', z.object({ name: z.string().max(30), code: z.string().max(100) })),
]);

export type Mail = z.infer<typeof mailSchema>;
export type TemplateName = Mail['template'];
export type MailData<Name extends TemplateName> = Extract<Mail, { template: Name }>['data'];

/**
 * Payload of the queue. The mail is encrypted, because a database dump must not expose its login links. The id becomes
 * the Message-ID, the same in every attempt.
 */
export const mailJobSchema = z.object({ id: z.uuid(), sealed: z.string() });
export type MailJob = z.infer<typeof mailJobSchema>;
