import type { Tx } from '../../platform/db/database.ts';

/** Returns the rule of an account whose users must log in with single sign-on; undefined for every other account. */
export const findSsoRule = async (
  tx: Tx,
  accountId: number,
): Promise<{ exemptUserId: number | null } | undefined> =>
  await tx
    .selectFrom('sso_rules')
    .select('exempt_user_id as exemptUserId')
    .where('account_id', '=', accountId)
    .where('is_required', '=', true)
    .executeTakeFirst();
