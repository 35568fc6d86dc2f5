import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { KeyCount } from '../../platform/seals.ts';

export interface SealedIntegration {
  accountId: number;
  id: number;
}

export interface SealedPair {
  secret: string;
  previous: string | null;
}

/** Returns integrations of all accounts with a secret that is sealed with another key, ordered by id. */
export async function findSecretsToReseal(
  db: Database,
  keyId: string,
  after: number,
  limit: number,
): Promise<SealedIntegration[]> {
  const query = sql<SealedIntegration>`
    select account_id as "accountId", id from find_secrets_to_reseal(${keyId}, ${after}, ${limit})`;
  return await queryRows(db, query);
}

export async function lockSecrets(
  tx: Tx,
  { accountId, id }: SealedIntegration,
): Promise<SealedPair | undefined> {
  return await tx
    .selectFrom('integrations')
    .select(['secret_sealed as secret', 'previous_secret_sealed as previous'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function saveSecrets(
  tx: Tx,
  { accountId, id }: SealedIntegration,
  { secret, previous }: SealedPair,
): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ secret_sealed: secret, previous_secret_sealed: previous })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Needs the rights of operators. */
export const countSecrets = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(sealed, '.', 1) as key, count(*)::int as count
        from integrations i cross join lateral unnest(array[i.secret_sealed, i.previous_secret_sealed]) as s (sealed)
       where sealed is not null group by 1 order by 1`,
  );
