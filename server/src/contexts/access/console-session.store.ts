import type { Tx } from '../../platform/db/database.ts';

/** Deletes all but the user's newest console sessions and returns the deleted ones. */
export async function keepNewestSessions(
  tx: Tx,
  owner: { accountId: number; userId: number },
  kept: number,
): Promise<string[]> {
  const ended = await tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('hash', 'in', (older) =>
      older
        .selectFrom('access_tokens')
        .select('hash')
        .where('account_id', '=', owner.accountId)
        .where('user_id', '=', owner.userId)
        .where('is_console_session', '=', true)
        .orderBy('created_at', 'desc')
        .offset(kept),
    )
    .returning('prefix')
    .execute();
  return ended.map(({ prefix }) => prefix);
}
