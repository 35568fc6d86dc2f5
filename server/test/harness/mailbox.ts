import { type Mail, mailSchema } from '../../src/contexts/notifications/mail.ts';
import type { Platform } from './platform.ts';

/**
 * Every mail that was ever queued for an address, oldest first, sent or not. A request queues its mail before it is
 * answered, so this also proves that there is none, without waiting for it not to come.
 */
export async function mailsTo(platform: Platform, address: string): Promise<Mail[]> {
  const jobs = await platform.database.query<{ data: { sealed: string } }>(
    `select data from pgboss.job where name = 'mail.send' order by data->>'id'`,
  );
  const { keyRing } = platform.api.base;
  return jobs
    .map(({ data }) => mailSchema.parse(JSON.parse(keyRing.open('mail', data.sealed))))
    .filter((mail) => mail.to.toLowerCase() === address.toLowerCase());
}

/** The newest link mailed to an address by a template. */
export async function linkTo(
  platform: Platform,
  address: string,
  template: 'confirm-email' | 'confirm-new-address' | 'reset-password',
): Promise<URL> {
  const mail = (await mailsTo(platform, address)).findLast((each) => each.template === template);
  if (!mail || !('link' in mail.data)) throw new Error(`No mail ${template} was queued for ${address}.`);
  return new URL(mail.data.link);
}

/** The token that a mailed link carries. */
export const tokenOf = (link: URL | string): string => new URL(link).searchParams.get('token') ?? '';
