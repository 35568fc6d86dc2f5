import type { Locale, MailData, TemplateName } from './mail.ts';

/**
 * What a mail says, as plain text without markup: the layout writes the text part and the HTML part from it and
 * escapes everything, so a template cannot forget to.
 */
export interface MailContent {
  subject: string;
  /** Shown by mail programs beside the subject, before the mail is opened. */
  preview: string;
  title: string;
  paragraphs: string[];
  action?: { label: string; link: string };
  /** Said after the button: how long it works, what to do if one did not ask for it. */
  notes: string[];
  /** Why the reader gets this mail. */
  reason: string;
}

export type Template<Name extends TemplateName> = Record<Locale, (data: MailData<Name>) => MailContent>;
