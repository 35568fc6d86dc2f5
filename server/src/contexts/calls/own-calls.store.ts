import { type RawBuilder, sql } from 'kysely';

/**
 * Limits a statement to the calls of a user, or to none in particular. `owns_call` defines which calls are a user's own;
 * every statement that returns calls to a user uses this condition.
 */
export const callsOf = (userId: number | undefined, calls: string): RawBuilder<boolean> =>
  userId === undefined ? sql<boolean>`true` : isOwn(userId, calls);

/** Whether a call is the user's own; null if it has neither a user nor a requester. */
const isOwn = (userId: number, calls: string): RawBuilder<boolean> => sql<boolean>`
  owns_call(${userId}::bigint, ${sql.ref(`${calls}.user_id`)}, ${sql.ref(`${calls}.requested_by`)})`;

/** A column that says whether the call is the user's own. */
export const ownColumn = (userId: number, calls: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${isOwn(userId, calls)}, false)`;
