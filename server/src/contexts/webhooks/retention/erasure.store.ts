import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Removes the responses of endpoints to these events. */
export async function eraseResponsesTo(tx: Tx, accountId: number, eventIds: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery_attempts a set response_body = null
      from deliveries d
     where d.account_id = ${accountId} and d.event_id = any(${eventIds}::uuid[])
       and a.delivery_id = d.id and a.response_body is not null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes the attempts of an integration, which are not deleted with it because nothing refers to them. */
export async function deleteAttemptsOf(tx: Tx, accountId: number, integrationIds: number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivery_attempts a using deliveries d
     where d.account_id = ${accountId} and d.integration_id = any(${integrationIds}::bigint[])
       and a.delivery_id = d.id`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Returns the ids of deliveries after this id. */
export async function findDeliveries(
  tx: Tx,
  accountId: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes the responses that match this regular expression. */
export async function eraseResponsesLike(tx: Tx, deliveryIds: string[], pattern: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery_attempts set response_body = null
     where delivery_id = any(${deliveryIds}::uuid[]) and response_body ~* ${pattern}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
