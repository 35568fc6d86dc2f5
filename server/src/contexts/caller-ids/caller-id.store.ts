import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { executePrepared } from '../../platform/db/prepared.ts';
import type { CallerIds } from '../../platform/db/schema.ts';
import type { CallerId, CallerIdSource, CallerIdStatus, Mode } from './caller-id.ts';

const columns = ['id', 'number', 'status', 'source', 'created_at', 'owned_at'] as const;
type Row = Pick<Selectable<CallerIds>, (typeof columns)[number]>;

export const callerIdFromRow = (row: Row): CallerId => ({
  id: row.id,
  number: row.number,
  status: row.status as CallerIdStatus,
  source: row.source as CallerIdSource,
  createdAt: row.created_at,
  ownedAt: row.owned_at,
});

/**
 * Selects the caller IDs of the account's current mode: numbers verified with the simulated carrier are not valid
 * with a real one.
 */
export const selectCallerIds = (tx: Tx, accountId: number) =>
  tx
    .selectFrom('caller_ids')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('mode', '=', (of) => of.selectFrom('account_info').select('mode').where('id', '=', accountId));

/** Returns whether the account may present this number. */
export async function ownsCallerId(tx: Tx, accountId: number, number: string): Promise<boolean> {
  const query = selectCallerIds(tx, accountId).where('number', '=', number).where('status', '=', 'owned');
  return (await executePrepared(tx, query.compile())).length > 0;
}

export async function findCallerIdByNumber(
  tx: Tx,
  accountId: number,
  number: string,
): Promise<CallerId | undefined> {
  const row = await selectCallerIds(tx, accountId).where('number', '=', number).executeTakeFirst();
  return row && callerIdFromRow(row);
}

export async function findMode(tx: Tx, accountId: number): Promise<Mode> {
  const { mode } = await tx
    .selectFrom('account_info')
    .select('mode')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return mode as Mode;
}

/** Counts today's code calls to the number, including this one: of the account, and of all accounts of its mode. */
export async function countCodeCall(
  tx: Tx,
  number: string,
  day: string,
): Promise<{ own: number; total: number }> {
  const { rows } = await sql<{ own: number; total: number }>`
    select own, total from count_code_call(${number}, ${day})`.execute(tx);
  if (!rows[0]) throw new Error('count_code_call returned no row.');
  return rows[0];
}

/** Deletes the counts of earlier days. */
export async function forgetCodeCalls(tx: Tx, accountId: number, before: string): Promise<void> {
  await tx
    .deleteFrom('caller_id_calls')
    .where('account_id', '=', accountId)
    .where('day', '<', before)
    .execute();
}

interface SealedCode {
  codeSealed: string;
  expiresAt: Date;
  tries: number;
}

/** Saves a number that awaits its code; a new code replaces the previous one. */
export async function savePending(
  tx: Tx,
  owner: { accountId: number; mode: Mode; number: string; at: Date },
  { codeSealed, expiresAt, tries }: SealedCode,
): Promise<CallerId> {
  const code = { code_sealed: codeSealed, code_expires_at: expiresAt, tries_left: tries };
  const row = await tx
    .insertInto('caller_ids')
    .values({
      account_id: owner.accountId,
      mode: owner.mode,
      number: owner.number,
      status: 'pending',
      source: 'verified',
      created_at: owner.at,
      ...code,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'number']).doUpdateSet(code))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return callerIdFromRow(row);
}

export interface LockedCallerId extends CallerId {
  mode: Mode;
  codeSealed: string | null;
  codeExpiresAt: Date | null;
  triesLeft: number;
}

export async function lockCallerId(
  tx: Tx,
  accountId: number,
  id: number,
): Promise<LockedCallerId | undefined> {
  const row = await selectCallerIds(tx, accountId)
    .select(['mode', 'code_sealed', 'code_expires_at', 'tries_left'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      ...callerIdFromRow(row),
      mode: row.mode as Mode,
      codeSealed: row.code_sealed,
      codeExpiresAt: row.code_expires_at,
      triesLeft: row.tries_left,
    }
  );
}

export async function saveTriesLeft(tx: Tx, accountId: number, id: number, triesLeft: number): Promise<void> {
  await tx
    .updateTable('caller_ids')
    .set({ tries_left: triesLeft })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Marks the number as owned. `releaseFromOthers` must have removed it from its previous owner. */
export async function saveOwned(
  tx: Tx,
  owner: { accountId: number; mode: Mode; number: string; at: Date },
  source: CallerIdSource,
): Promise<CallerId> {
  const owned = {
    status: 'owned',
    source,
    owned_at: owner.at,
    code_sealed: null,
    code_expires_at: null,
    tries_left: 0,
  };
  const row = await tx
    .insertInto('caller_ids')
    .values({
      account_id: owner.accountId,
      mode: owner.mode,
      number: owner.number,
      created_at: owner.at,
      ...owned,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'number']).doUpdateSet(owned))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return callerIdFromRow(row);
}

export async function releaseFromOthers(
  tx: Tx,
  owner: { accountId: number; mode: Mode; number: string },
): Promise<{ accountId: number; id: number }[]> {
  const { rows } = await sql<{ accountId: number; id: number }>`
    select account_id as "accountId", caller_id as id
      from release_caller_id(${owner.number}, ${owner.mode}, ${owner.accountId})`.execute(tx);
  return rows;
}

export async function deleteCallerId(tx: Tx, accountId: number, id: number): Promise<CallerId | undefined> {
  const row = await tx
    .deleteFrom('caller_ids')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row && callerIdFromRow(row);
}
