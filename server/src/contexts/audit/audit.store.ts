import type { Tx } from '../../platform/db/database.ts';
import type { Change } from './record-change.ts';

export async function insertEntry(tx: Tx, entry: Change & { id: string }): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      id: entry.id,
      account_id: entry.accountId,
      at: entry.at,
      actor_uuid: entry.actor?.uuid ?? null,
      actor_email: entry.actor?.email ?? null,
      action: entry.action,
      target_type: entry.target.type,
      target_id: entry.target.id,
      before: entry.before ? JSON.stringify(entry.before) : null,
      after: entry.after ? JSON.stringify(entry.after) : null,
      address: entry.origin.address,
      request_id: entry.origin.requestId,
    })
    .execute();
}

export const selectEntries = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('audit_entries')
    .select([
      'id',
      'at',
      'actor_uuid',
      'actor_email',
      'action',
      'target_type',
      'target_id',
      'before',
      'after',
      'address',
      'request_id',
    ])
    .where('account_id', '=', accountId);
