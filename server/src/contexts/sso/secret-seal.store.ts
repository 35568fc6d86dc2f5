import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { KeyCount } from '../../platform/seals.ts';

/** Returns accounts whose client secret is sealed with another key, ordered by id. */
export async function findSecretsToReseal(
  db: Database,
  keyId: string,
  after: number,
  limit: number,
): Promise<number[]> {
  const query = sql<{ id: number }>`
    select account_id as id from find_sso_secrets_to_reseal(${keyId}, ${after}, ${limit})`;
  return (await queryRows(db, query)).map(({ id }) => id);
}

export async function lockSecret(tx: Tx, accountId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('single_sign_on')
    .select('secret_sealed')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.secret_sealed;
}

export async function saveSecret(tx: Tx, accountId: number, sealed: string): Promise<void> {
  await tx
    .updateTable('single_sign_on')
    .set({ secret_sealed: sealed })
    .where('account_id', '=', accountId)
    .execute();
}

/** Needs the rights of operators. */
export const countSecrets = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(secret_sealed, '.', 1) as key, count(*)::int as count from single_sign_on
       group by 1 order by 1`,
  );
