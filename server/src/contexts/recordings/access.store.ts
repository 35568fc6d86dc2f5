import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import { erasedText } from '../../platform/erased.ts';
import { uuidv7 } from '../../platform/ids.ts';

/**
 * One use of a link. Links are bearer credentials: it is known to whom the link was issued, and of the person who used it
 * only the IP address.
 */
export interface Access {
  accountId: number;
  callId: string;
  at: Date;
  /** The uuid of the user or service token; null for a link of a former release. */
  issuedTo: string | null;
  address: string;
  method: 'GET' | 'HEAD';
  outcome: 'whole' | 'part' | 'unsatisfiable' | 'not-ready';
  rangeStart: number | undefined;
  bytes: number;
}

export async function insertAccess(tx: Tx, access: Access): Promise<void> {
  await tx
    .insertInto('recording_accesses')
    .values({
      id: uuidv7(access.at),
      account_id: access.accountId,
      call_id: access.callId,
      at: access.at,
      issued_to: access.issuedTo,
      address: access.address,
      method: access.method,
      outcome: access.outcome,
      range_start: access.rangeStart ?? null,
      bytes: access.bytes,
    })
    .execute();
}

export const selectAccesses = (tx: Tx, accountId: number, callId: string) =>
  tx
    .selectFrom('recording_accesses')
    .select(['id', 'at', 'issued_to', 'address', 'method', 'outcome', 'range_start', 'bytes'])
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId);

/** Returns the names of those of the uuids that are users or service tokens of the account. */
export async function findNames(tx: Tx, accountId: number, uuids: string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const users = tx
    .selectFrom('users')
    .select(['uuid', 'name'])
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids);
  const tokens = tx
    .selectFrom('access_tokens')
    .select(['service_uuid as uuid', 'name'])
    .where('account_id', '=', accountId)
    .where('user_id', 'is', null)
    .where('service_uuid', 'in', uuids)
    .$narrowType<{ uuid: string; name: string }>();
  const rows = await users.unionAll(tokens).execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** Erases the IP addresses of accesses to the recordings of these calls. */
export async function eraseAccessesTo(tx: Tx, accountId: number, callIds: string[]): Promise<number> {
  if (callIds.length === 0) return 0;
  const { numUpdatedRows } = await eraseAddresses(tx, accountId)
    .where('call_id', 'in', callIds)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Erases these IP addresses from the accesses to all recordings of the account. */
export async function eraseAccessesFrom(tx: Tx, accountId: number, addresses: string[]): Promise<number> {
  if (addresses.length === 0) return 0;
  const { numUpdatedRows } = await eraseAddresses(tx, accountId)
    .where('address', 'in', addresses)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const eraseAddresses = (tx: Tx, accountId: number) =>
  tx
    .updateTable('recording_accesses')
    .set({ address: erasedText })
    .where('account_id', '=', accountId)
    .where('address', '!=', erasedText);

/** Removes up to `limit` older accesses, in all accounts, and returns how many. */
export async function removeOldAccesses(db: Database, before: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_recording_accesses(${before}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
