import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import type { KeyCount } from '../../../platform/seals.ts';

export interface SealedTotp {
  accountId: number;
  id: string;
}

/** Returns apps of all accounts whose secret is sealed with another key, ordered by id. */
export async function findTotpSecretsToReseal(
  db: Database,
  keyId: string,
  after: string,
  limit: number,
): Promise<SealedTotp[]> {
  const query = sql<SealedTotp>`
    select account_id as "accountId", id from find_totp_secrets_to_reseal(${keyId}, ${after}::uuid, ${limit})`;
  return await queryRows(db, query);
}

export async function lockTotpSecret(tx: Tx, { accountId, id }: SealedTotp): Promise<string | undefined> {
  const row = await tx
    .selectFrom('second_factors')
    .select('secret_sealed')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.secret_sealed ?? undefined;
}

export async function saveTotpSecret(tx: Tx, { accountId, id }: SealedTotp, sealed: string): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ secret_sealed: sealed })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Needs the rights of operators. */
export const countTotpSecrets = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(secret_sealed, '.', 1) as key, count(*)::int as count from second_factors
       where secret_sealed is not null group by 1 order by 1`,
  );
