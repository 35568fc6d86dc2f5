import { type Database, inAccount } from '../../platform/db/database.ts';
import { findLogin } from '../access/index.ts';
import { type ConfirmLinkDeps, mailConfirmation } from '../users/index.ts';
import { awaitsProofBy } from './prove-address.ts';
import { mailWelcome } from './sign-up.ts';

/**
 * Sends a new link to an address that is not confirmed, or is the one that proves the account. Does not reveal whether the
 * address is known.
 */
export async function resendConfirmation(
  deps: ConfirmLinkDeps & { db: Database },
  email: string,
): Promise<void> {
  const login = await findLogin(deps.db, email, '', deps.clock.now());
  if (!login) return;
  await inAccount(deps.db, login.account_id, async (tx) => {
    const holder = { accountId: login.account_id, uuid: login.uuid };
    if (login.email_verified && !(await awaitsProofBy(tx, holder))) return;
    if (login.account_status === 'pending') await mailWelcome(tx, deps, login, login.account_name);
    else if (login.account_status === 'active') await mailConfirmation(tx, deps, login);
  });
}
