import { htmlPart } from './layout-html.ts';
import type { Locale } from './mail.ts';
import type { MailContent } from './template.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

export function layOut(locale: Locale, content: MailContent): RenderedMail {
  return { subject: content.subject, text: textPart(content), html: htmlPart(locale, content) };
}

/** Renders the text part. The signature separator (`-- `) marks the footer in clients that show plain text. */
function textPart({ title, paragraphs, action, notes, reason }: MailContent) {
  const button = action ? [`${action.label}:\n${action.link}`] : [];
  return `${[title, ...paragraphs, ...button, ...notes, `-- \nDisca\n${reason}`].join('\n\n')}\n`;
}
