import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { lockUser } from './access.store.ts';
import {
  addToken,
  type IssuedToken,
  type IssueTokenDeps,
  requireTokenRoom,
  type WantedToken,
} from './issue-token.ts';
import { mailNewToken } from './mail-access.ts';
import { hasToken } from './token.store.ts';

/**
 * Creates a token that belongs to the account: it acts as ADMIN within its scopes, and stays when its creator is removed
 * or changes the password.
 */
export async function createServiceToken(
  deps: IssueTokenDeps,
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
    const token = await addToken(tx, owner, { actor: caller, origin, at }, { ...wanted, kind: 'created' });
    await mailNewToken(tx, deps.queueMail, caller, { name: wanted.name, at });
    return token;
  });
}
