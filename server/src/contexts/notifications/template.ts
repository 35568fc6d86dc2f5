import type { Locale, MailData, TemplateName } from './mail.ts';

/** Content of a mail as plain text. The layout renders the text and HTML parts and does all escaping. */
export interface MailContent {
  subject: string;
  /** Preview text that mail clients show next to the subject. */
  preview: string;
  title: string;
  paragraphs: string[];
  action?: { label: string; link: string };
  /** Shown after the button: validity, and what to do about an unrequested mail. */
  notes: string[];
  /** Why the recipient receives this mail. */
  reason: string;
}

export type Template<Name extends TemplateName> = Record<Locale, (data: MailData<Name>) => MailContent>;
