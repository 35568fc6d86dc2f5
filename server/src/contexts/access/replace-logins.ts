import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Revocation, recordRevocation } from './revoke-token.ts';
import { chooseReplaced, maxCreatedTokens, surplusWith, type TokenKind } from './token.rules.ts';
import { countLiveTokens, deleteTokens, lockReplaceableLogins, type Owner } from './token.store.ts';

/**
 * Revokes the least recently used logins of a user until there is room for one more token. Tokens created explicitly,
 * tokens with an open phone session and the token `inUse` are never revoked; if only those are left, the limit is
 * exceeded, because a login must not fail because of the number of tokens. Requires a lock on the user.
 */
export async function replaceLogins(
  tx: Tx,
  owner: Owner,
  added: TokenKind,
  revocation: Revocation,
  inUse?: Buffer,
): Promise<void> {
  const counts = await countLiveTokens(tx, owner, revocation.at);
  if (added === 'created' && counts.created >= maxCreatedTokens) {
    throw new Refusal(
      'TOKEN_LIMIT',
      `A user has at most ${maxCreatedTokens} live tokens besides logins. Revoke one before creating another.`,
    );
  }
  const surplus = surplusWith(counts, added);
  if (surplus.logins === 0 && surplus.consoleSessions === 0) return;
  const replaceable = await lockReplaceableLogins(tx, owner, revocation.at, inUse);
  const replaced = chooseReplaced(replaceable, surplus);
  await deleteTokens(tx, owner, replaced);
  for (const { prefix } of replaced) await recordRevocation(tx, revocation, prefix);
}
