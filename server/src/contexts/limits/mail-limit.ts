import { createHash } from 'node:crypto';
import type { Limit } from './limit-table.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** Nobody's mailbox is filled by whoever asks for links in their name, from however many addresses. */
const mails: Omit<Limit, 'by'> = { bucket: 'mail', max: 5, windowSeconds: 3600 };

/** Counts a mail of this kind to this e-mail address; false when it has had as many as it may within the hour. */
export type MailLimit = (kind: string, email: string) => Promise<boolean>;

export function createMailLimit(limiter: RequestLimiter, onWithheld: () => void): MailLimit {
  return async (kind, email) => {
    const address = createHash('sha256').update(email.toLowerCase()).digest('base64url');
    const { exceeded } = await limiter.count(mails, `${kind}:${address}`);
    if (exceeded) onWithheld();
    return !exceeded;
  };
}
