import type { Tx } from '../../../platform/db/database.ts';
import { erasedText } from '../../../platform/erased.ts';

export async function eraseDestination(
  tx: Tx,
  accountId: number,
  phone: string,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('call_holds')
    .set({ destination: erasedText })
    .where('account_id', '=', accountId)
    .where('call_id', 'in', (from) =>
      from
        .selectFrom('call_holds')
        .select('call_id')
        .where('account_id', '=', accountId)
        .where('destination', '=', phone)
        .where('state', '!=', 'open')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
