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

const letter = <Name extends string, Data extends z.ZodType>(template: Name, data: Data) =>
  z.object({ to: address, locale: z.enum(locales), template: z.literal(template), data });

/** Every mail that the product sends. Queued mails survive upgrades, so fields are never renamed. */
export const mailSchema = z.discriminatedUnion('template', [
  letter('confirm-email', z.object({ companyName, link })),
  letter('confirm-new-address', z.object({ link })),
  letter('email-changed', z.object({ newAddress: address, changedAt: instant })),
  letter('reset-password', z.object({ link })),
  letter('balance-low', z.object({ available: z.number(), isTest: z.boolean(), link })),
  letter(
    'webhook-disabled',
    z.object({ gateway: z.string().max(100), host: z.string().max(300), disabledAt: instant, link }),
  ),
  letter('password-changed', z.object({ changedAt: instant })),
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
