import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { KeyCount } from '../../platform/seals.ts';

export interface SealedExtension {
  accountId: number;
  id: number;
}

/** Returns extensions of all accounts whose password is sealed with another key, ordered by id. */
export async function findSenhasToReseal(
  db: Database,
  keyId: string,
  after: number,
  limit: number,
): Promise<SealedExtension[]> {
  const query = sql<SealedExtension>`
    select account_id as "accountId", id from find_senhas_to_reseal(${keyId}, ${after}, ${limit})`;
  return await queryRows(db, query);
}

export async function lockSenha(tx: Tx, { accountId, id }: SealedExtension): Promise<string | undefined> {
  const row = await tx
    .selectFrom('extensions')
    .select('senha_sealed')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.senha_sealed;
}

export async function saveSenha(tx: Tx, { accountId, id }: SealedExtension, sealed: string): Promise<void> {
  await tx
    .updateTable('extensions')
    .set({ senha_sealed: sealed })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Needs the rights of operators. */
export const countSenhas = (db: Database): Promise<KeyCount[]> =>
  queryRows(
    db,
    sql<KeyCount>`
      select split_part(senha_sealed, '.', 1) as key, count(*)::int as count from extensions group by 1 order by 1`,
  );
