import { Webhook } from 'standardwebhooks';

/** The headers of Standard Webhooks. While a secret is being rotated, the message is signed with both. */
export function signatureHeaders(
  messageId: string,
  at: Date,
  body: string,
  secrets: string[],
): Record<string, string> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(' '),
  };
}
