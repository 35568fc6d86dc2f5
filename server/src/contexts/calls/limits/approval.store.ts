import type { Tx } from '../../../platform/db/database.ts';

/** Whether the account places no outbound calls until the operator approves it. */
export async function awaitsApproval(tx: Tx, accountId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('account_info')
    .select('awaits_approval_since')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return (row?.awaits_approval_since ?? null) !== null;
}
