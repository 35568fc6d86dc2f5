export type { FactorChange, Locale, Mail } from './mail.ts';
export { locales } from './mail.ts';
export { AddressRefused, type MailMessage, type MailTransport } from './ports.ts';
export { createMailQueue, mailSendQueue, type QueueMail } from './queue-mail.ts';
