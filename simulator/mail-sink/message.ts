import PostalMime from 'postal-mime';

/** A mail in the sink. `to` and `from` are those of the envelope. */
export interface SinkMessage {
  id: string;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  receivedAt: string;
  /** Every distinct http(s) URL in the mail, those in the text first. */
  links: string[];
  messageId: string;
  headers: { name: string; value: string }[];
}

export interface Envelope {
  from: string;
  to: string[];
}

export async function parseMessage(id: string, receivedAt: Date, envelope: Envelope, raw: Buffer) {
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? '';
  const html = mail.html ?? '';
  const message: SinkMessage = {
    id,
    to: envelope.to,
    from: envelope.from,
    subject: mail.subject ?? '',
    text,
    html,
    receivedAt: receivedAt.toISOString(),
    links: [...new Set([...linksInText(text), ...linksInHtml(html)])],
    messageId: mail.messageId ?? '',
    headers: mail.headers.map((header) => ({ name: header.originalKey, value: header.value })),
  };
  return message;
}

function linksInText(text: string) {
  return text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
}

function linksInHtml(html: string) {
  const hrefs = [...html.matchAll(/\bhref="(https?:\/\/[^"]+)"/g)].map((match) => match[1] ?? '');
  return hrefs.map(unescapeHtml);
}

function unescapeHtml(text: string) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
