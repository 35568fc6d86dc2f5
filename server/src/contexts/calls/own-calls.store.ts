import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Limits a statement to the calls of a user, or to none in particular. `owns_call` defines which calls are a user's own;
 * every statement that returns calls to a user uses this condition.
 */
export const callsOf = (userId: number | undefined, calls: string): RawBuilder<boolean> =>
  userId === undefined ? sql<boolean>`true` : isOwn(userId, calls);

/** Whether a call is the user's own; null if it has neither a user nor a requester. */
const isOwn = (userId: number, calls: string): RawBuilder<boolean> => sql<boolean>`
  owns_call(${userId}::bigint, ${sql.ref(`${calls}.user_id`)}, ${sql.ref(`${calls}.requested_by`)})`;

/**
 * The two parts of `owns_call`, which exclude each other: calls of the user, and calls that the user requested for others.
 * An index returns each in the order of lists. The source is limited by `callsOf` besides.
 */
export const sharesOf = (userId: number | undefined): RawBuilder<boolean>[] | undefined =>
  userId === undefined
    ? undefined
    : [
        sql<boolean>`user_id = ${userId}::bigint`,
        sql<boolean>`requested_by = ${userId}::bigint and requested_by is distinct from user_id`,
      ];

/** A column that says whether the call is the user's own. */
export const ownColumn = (userId: number, calls: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${isOwn(userId, calls)}, false)`;

/** Returns whether the user has a call, or the account if no user is given. */
export async function hasCalls(tx: Tx, accountId: number, userId: number | undefined): Promise<boolean> {
  const shares = sharesOf(userId) ?? [sql<boolean>`true`];
  const exists = shares.map(
    (share) => sql<boolean>`exists (select from calls where account_id = ${accountId} and ${share})`,
  );
  const { rows } = await sql<{ exists: boolean }>`select ${sql.join(exists, sql` or `)} as exists`.execute(
    tx,
  );
  return rows[0]?.exists ?? false;
}
