import type { Tx } from '../../platform/db/database.ts';

/** Leaves the newest of the user's tokens with this name, and ends the others. */
export async function keepNewestNamed(
  tx: Tx,
  owner: { accountId: number; userId: number },
  name: string,
  kept: number,
): Promise<void> {
  await tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('hash', 'in', (older) =>
      older
        .selectFrom('access_tokens')
        .select('hash')
        .where('account_id', '=', owner.accountId)
        .where('user_id', '=', owner.userId)
        .where('name', '=', name)
        .orderBy('created_at', 'desc')
        .offset(kept),
    )
    .execute();
}
