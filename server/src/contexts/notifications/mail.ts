import { z } from 'zod';

export const locales = ['pt-BR', 'en'] as const;
export type Locale = (typeof locales)[number];

/**
 * One address and nothing else: no display name, no list, no line break. Looser than the rule for signing up, so
 * that an address the product took once can always be written to.
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

/** Every mail the product sends. The queue carries this shape between versions, so a field is never renamed. */
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
 * What stands in the queue's table. The mail is sealed, because it carries links into accounts that a copy of the
 * database must not give away. The id becomes the Message-ID, the same in every attempt.
 */
export const mailJobSchema = z.object({ id: z.uuid(), sealed: z.string() });
export type MailJob = z.infer<typeof mailJobSchema>;
