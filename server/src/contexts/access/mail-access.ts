import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Locale, QueueMail } from '../notifications/index.ts';
import type { Login } from './access.store.ts';
import { addressesOf } from './erasure.store.ts';
import { isSameNetwork } from './known-network.rules.ts';

/** Mails the user about a login from a network from which they have not logged in before, except their first login. */
export async function mailNewNetwork(
  tx: Tx,
  queueMail: QueueMail,
  login: Pick<Login, 'account_id' | 'user_id' | 'email' | 'locale' | 'knows_address'>,
  address: string,
  at: Date,
): Promise<void> {
  if (login.knows_address) return;
  const known = await addressesOf(tx, login.account_id, login.user_id);
  if (known.length === 0 || known.some((each) => isSameNetwork(each, address))) return;
  await queueMail(tx, {
    to: login.email,
    locale: login.locale,
    template: 'new-login',
    data: { address, at: at.toISOString() },
  });
}

/** Mails the user about a token that was created with their rights. */
export async function mailNewToken(
  tx: Tx,
  queueMail: QueueMail,
  { email, locale }: Caller,
  { name = '', at }: { name?: string | undefined; at: Date },
): Promise<void> {
  await queueMail(tx, {
    to: email,
    locale: locale as Locale,
    template: 'token-created',
    data: { name, createdAt: at.toISOString() },
  });
}
