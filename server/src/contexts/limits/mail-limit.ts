import { createHash } from 'node:crypto';
import type { Limit } from './limit-table.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** Limits the mails per mailbox, so that requests from many addresses cannot flood it. */
const mails: Omit<Limit, 'by'> = { bucket: 'mail', max: 5, windowSeconds: 3600 };

/** Mails that requests of strangers cause, once per day. */
const daily: Omit<Limit, 'by'> = { bucket: 'mail-daily', max: 1, windowSeconds: 24 * 3600 };
const dailyKinds = new Set(['sign-up-refused']);

/** Counts an e-mail of this kind to this address; false if the hourly or daily limit is reached. */
export type MailLimit = (kind: string, email: string) => Promise<boolean>;

export function createMailLimit(limiter: RequestLimiter, onWithheld: () => void): MailLimit {
  return async (kind, email) => {
    const address = createHash('sha256').update(email.toLowerCase()).digest('base64url');
    const { exceeded } = await limiter.count(dailyKinds.has(kind) ? daily : mails, `${kind}:${address}`);
    if (exceeded) onWithheld();
    return !exceeded;
  };
}
