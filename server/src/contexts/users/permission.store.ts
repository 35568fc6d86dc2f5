import type { Tx } from '../../platform/db/database.ts';
import type { CallView, Permissions, RecordingView } from '../../platform/permissions.ts';

export interface DecidedPermissions extends Permissions {
  /** Whether an ADMIN has decided; otherwise calls and recordings follow `usersSee` of the account. */
  isDecided: boolean;
}

/** Returns what an ADMIN has decided about a user, or what applies without a decision. */
export async function findPermissions(
  tx: Tx,
  accountId: number,
  userId: number,
): Promise<DecidedPermissions | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('account_info', 'account_info.id', 'users.account_id')
    .select([
      'users.sees_calls',
      'users.hears_recordings',
      'users.uses_money',
      'users.uses_webhooks',
      'users.supervises',
      'account_info.users_see',
    ])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return (
    row && {
      calls: (row.sees_calls ?? row.users_see) as CallView,
      recordings: (row.hears_recordings ?? row.users_see) as RecordingView,
      money: row.uses_money,
      webhooks: row.uses_webhooks,
      supervision: row.supervises,
      isDecided: row.sees_calls !== null,
    }
  );
}

export async function savePermissions(
  tx: Tx,
  { accountId, id }: { accountId: number; id: number },
  permissions: Permissions,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      sees_calls: permissions.calls,
      hears_recordings: permissions.recordings,
      uses_money: permissions.money,
      uses_webhooks: permissions.webhooks,
      supervises: permissions.supervision,
      updated_at: at,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
