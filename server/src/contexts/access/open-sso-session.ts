import type { Origin } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { QueueMail } from '../notifications/index.ts';
import { lockUser } from './access.store.ts';
import { consoleLogin, sessionCookie } from './console-session.rules.ts';
import { type LoggedIn, openLogin } from './open-login.ts';

/** A session that was opened with single sign-on ends after 12 hours. Also in server/sql/access/touch_tokens.sql. */
const longestSsoSeconds = 12 * 3600;

interface SsoUser {
  accountId: number;
  id: number;
  uuid: string;
  email: string;
  locale: LoggedIn['locale'];
}

/** Opens a session of the console for a user whom a provider has identified, and returns its cookie. */
export async function openSsoSession(
  tx: Tx,
  { queueMail, consoleIdleSeconds }: { queueMail: QueueMail; consoleIdleSeconds: number },
  { accountId, id, ...user }: SsoUser,
  device: string,
  by: { origin: Origin; at: Date },
): Promise<string> {
  await lockUser(tx, accountId, id);
  const { ttl, name } = consoleLogin(Math.min(consoleIdleSeconds, longestSsoSeconds));
  const login = { ...user, account_id: accountId, user_id: id, knows_address: false };
  const token = await openLogin(
    tx,
    { queueMail },
    login,
    { ttl, name, kind: 'console', device, isSso: true },
    by,
  );
  return sessionCookie(token.id);
}
