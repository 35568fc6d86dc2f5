import type { Tx } from '../../platform/db/database.ts';
import type { Owner } from './token.store.ts';

const ofUser = ({ accountId, userId }: Owner) => ({
  account_id: accountId,
  user_id: userId,
  is_console_session: true,
});

/** Returns the console sessions of a user, the last used first. */
export const selectSessions = async (tx: Tx, owner: Owner, at: Date) =>
  await tx
    .selectFrom('access_tokens')
    .select([
      'hash',
      'prefix',
      'opened_from',
      'user_agent',
      'is_sso',
      'created_at',
      'last_used_at',
      'expires_at',
    ])
    .where((eb) => eb.and(ofUser(owner)))
    .where('expires_at', '>', at)
    .orderBy((eb) => eb.fn.coalesce('last_used_at', 'created_at'), 'desc')
    .orderBy('prefix')
    .limit(100)
    .execute();

/** Ends console sessions of a user: the one with the prefix, or all except the one to keep. Returns their prefixes. */
export async function deleteSessions(
  tx: Tx,
  owner: Owner,
  which: { prefix: string } | { except: Buffer },
): Promise<string[]> {
  const all = tx.deleteFrom('access_tokens').where((eb) => eb.and(ofUser(owner)));
  const chosen =
    'prefix' in which ? all.where('prefix', '=', which.prefix) : all.where('hash', '<>', which.except);
  return (await chosen.returning('prefix').execute()).map(({ prefix }) => prefix);
}
