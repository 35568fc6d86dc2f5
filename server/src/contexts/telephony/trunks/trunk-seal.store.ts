import { sql } from 'kysely';
import { type Database, queryRows } from '../../../platform/db/database.ts';
import type { KeyCount } from '../../../platform/seals.ts';

/** The sealed passwords for calls to the carrier and for calls from it. */
export type SealedPasswords = [outbound: string | null, inbound: string | null];

/** Replaces both, unless they have changed since they were read. */
export async function saveResealed(
  db: Database,
  trunkId: number,
  former: SealedPasswords,
  resealed: SealedPasswords,
): Promise<void> {
  await queryRows(db, sql`select reseal_trunk(${trunkId}, ${former}::text[], ${resealed}::text[])`);
}

/** Needs the rights of operators. */
export const countPasswords = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(sealed, '.', 1) as key, count(*)::int as count
        from trunks t
       cross join lateral unnest(array[t.outbound_password_sealed, t.inbound_password_sealed]) as s (sealed)
       where sealed is not null group by 1 order by 1`,
  );
