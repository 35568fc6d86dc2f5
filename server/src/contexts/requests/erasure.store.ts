import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Deletes the requests of removed users, and those that name the person: clients choose names of tokens and of unknown
 * fields.
 */
export async function deleteRequestsOf(
  tx: Tx,
  accountId: number,
  { userUuids, mention }: { userUuids: string[]; mention: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from requests
     where account_id = ${accountId}
       and (user_uuid = any(${userUuids}::uuid[])
            or concat_ws(' ', token_name, request_id, invalid_fields::text, ignored_fields::text) ~* ${mention})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
