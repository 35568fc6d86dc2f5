import { sql } from 'kysely';
import { type Database, queryRows } from '../../platform/db/database.ts';
import type { KeyCount } from '../../platform/seals.ts';

interface SealedSecret {
  id: number;
  sealed: string;
}

export const findSecretsToReseal = (
  db: Database,
  keyId: string,
  after: number,
  most: number,
): Promise<SealedSecret[]> =>
  queryRows(
    db,
    sql<SealedSecret>`select id, sealed from find_operator_secrets_to_reseal(${keyId}, ${after}::bigint, ${most})`,
  );

export async function replaceSecret(
  db: Database,
  { id, sealed, fresh }: SealedSecret & { fresh: string },
): Promise<void> {
  await queryRows(db, sql`select replace_operator_secret(${id}::bigint, ${sealed}, ${fresh})`);
}

/** Needs the rights of operators. */
export const countSecrets = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(totp_sealed, '.', 1) as key, count(*)::int as count from operators
       where totp_sealed is not null group by 1 order by 1`,
  );
