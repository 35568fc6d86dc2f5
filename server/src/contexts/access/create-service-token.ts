import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time.ts';
import { lockUser } from './access.store.ts';
import { addToken, type IssuedToken, requireTokenRoom, type WantedToken } from './issue-token.ts';
import { hasToken } from './token.store.ts';

/**
 * Creates a token that belongs to the account: it acts as ADMIN within its scopes, and stays when its creator is removed
 * or changes the password.
 */
export async function createServiceToken(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  wanted: WantedToken & Required<Pick<WantedToken, 'name' | 'scopes'>>,
): Promise<IssuedToken> {
  const { accountId, userId, origin } = caller;
  const at = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    await lockUser(tx, accountId, userId);
    // A token that was revoked during the request must not create another one.
    if (!(await hasToken(tx, caller, caller.tokenHash))) throw invalidToken();
    await requireTokenRoom(tx, accountId, at);
    const owner = { accountId, userId: null, uuid: uuidv7(at), createdBy: userId };
    return await addToken(tx, owner, { actor: caller, origin, at }, { ...wanted, kind: 'created' });
  });
}
