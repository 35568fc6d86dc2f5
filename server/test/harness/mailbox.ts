import { type Mail, mailSchema } from '../../src/contexts/notifications/mail.ts';
import type { SharedPlatform } from './platform.ts';

/**
 * Returns every mail ever queued for an address, oldest first, sent or not. A request queues its mail before it
 * responds, so this also proves the absence of a mail without waiting.
 */
export async function mailsTo(platform: SharedPlatform, address: string): Promise<Mail[]> {
  const jobs = await platform.database.query<{ data: { sealed: string } }>(
    `select data from pgboss.job where name = 'mail.send' order by data->>'id'`,
  );
  const { keyRing } = platform.api.base;
  return jobs
    .map(({ data }) => mailSchema.parse(JSON.parse(keyRing.open('mail', data.sealed))))
    .filter((mail) => mail.to.toLowerCase() === address.toLowerCase());
}

/** Returns the newest link mailed to an address with a template. */
export async function linkTo(
  platform: SharedPlatform,
  address: string,
  template: 'confirm-email' | 'confirm-new-address' | 'email-changed' | 'invitation' | 'reset-password',
): Promise<URL> {
  const mail = (await mailsTo(platform, address)).findLast((each) => each.template === template);
  if (!mail || !('link' in mail.data) || !mail.data.link)
    throw new Error(`No mail ${template} was queued for ${address}.`);
  return new URL(mail.data.link);
}

/** Returns the token in a mailed link. */
export const tokenFrom = (link: URL | string): string => new URL(link).searchParams.get('token') ?? '';
