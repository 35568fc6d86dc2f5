import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { DigestUse, StoredDigest } from './digest.rules.ts';

export async function findDigestUse(tx: Tx): Promise<DigestUse> {
  const { rows } = await sql<DigestUse>`
    select needs_plain as "needsPlain", shared_keys as "sharedKeys" from digest_use()`.execute(tx);
  return rows[0] ?? { needsPlain: true, sharedKeys: null };
}

interface Found<Id> {
  accountId: number;
  id: Id;
}

/** Returns extensions whose HA1 is not stored as it should be, in all accounts, ordered by id. */
export async function findDigests(
  db: Database,
  keyId: string,
  withPlain: boolean,
  after: number,
  limit: number,
): Promise<Found<number>[]> {
  const query = sql<Found<number>>`
    select account_id as "accountId", id from find_digests(${keyId}, ${withPlain}, ${after}, ${limit})`;
  return await queryRows(db, query);
}

/** Like `findDigests`, for phone sessions. */
export async function findSessionDigests(
  db: Database,
  keyId: string,
  withPlain: boolean,
  after: string,
  limit: number,
): Promise<Found<string>[]> {
  const query = sql<Found<string>>`
    select account_id as "accountId", id
      from find_session_digests(${keyId}, ${withPlain}, ${after}::uuid, ${limit})`;
  return await queryRows(db, query);
}

export interface DigestRow extends StoredDigest {
  username: string;
  domain: string;
}

export async function lockDigest(
  tx: Tx,
  accountId: number,
  id: number,
): Promise<(DigestRow & { senhaSealed: string }) | undefined> {
  return await tx
    .selectFrom('extensions as e')
    .innerJoin('account_info as a', 'a.id', 'e.account_id')
    .select(['e.ramal as username', 'a.domain', 'e.ha1', 'e.ha1_sealed as ha1Sealed'])
    .select('e.senha_sealed as senhaSealed')
    .where('e.account_id', '=', accountId)
    .where('e.id', '=', id)
    .forNoKeyUpdate('e')
    .$narrowType<{ domain: string }>()
    .executeTakeFirst();
}

export async function saveDigest(tx: Tx, accountId: number, id: number, stored: StoredDigest): Promise<void> {
  await tx
    .updateTable('extensions')
    .set({ ha1: stored.ha1, ha1_sealed: stored.ha1Sealed })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function lockSessionDigest(
  tx: Tx,
  accountId: number,
  id: string,
): Promise<DigestRow | undefined> {
  return await tx
    .selectFrom('phone_sessions as s')
    .innerJoin('account_info as a', 'a.id', 's.account_id')
    .select(['s.username', 'a.domain', 's.ha1', 's.ha1_sealed as ha1Sealed'])
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', id)
    .forNoKeyUpdate('s')
    .$narrowType<{ domain: string }>()
    .executeTakeFirst();
}

export async function saveSessionDigest(
  tx: Tx,
  accountId: number,
  id: string,
  stored: StoredDigest,
): Promise<void> {
  await tx
    .updateTable('phone_sessions')
    .set({ ha1: stored.ha1, ha1_sealed: stored.ha1Sealed })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Counts the HA1s by key, and those that are (also) stored as they are under the key null. Needs the rights of operators. */
export async function countDigests(db: Database): Promise<{ key: string | null; count: number }[]> {
  const query = sql<{ key: string | null; count: number }>`
    with digests as (select ha1, ha1_sealed from extensions union all select ha1, ha1_sealed from phone_sessions)
    select split_part(ha1_sealed, '.', 1) as key, count(*)::int as count
      from digests where ha1_sealed is not null group by 1
    union all
    select null, count(*)::int from digests where ha1 is not null having count(*) > 0
    order by 1`;
  return await queryRows(db, query);
}

/** Counts the HA1s that an edge without keys cannot use. Needs the rights of operators. */
export async function countOnlySealed(db: Database): Promise<number> {
  const query = sql<{ count: number }>`
    select (select count(*) from extensions where ha1 is null)::int
         + (select count(*) from phone_sessions where ha1 is null)::int as count`;
  return (await queryRows(db, query))[0]?.count ?? 0;
}

/** Returns the edges of the last day and the ids of their keys. Needs the rights of operators. */
export async function findEdgeKeys(db: Database): Promise<{ edge: number; keys: string[] }[]> {
  const query = sql<{ edge: number; keys: string[] }>`
    select id as edge, string_to_array(coalesce(digest_keys, ''), ',') as keys
      from edge.edges where seen_at > now() - interval '1 day' order by id`;
  return await queryRows(db, query);
}

/** Makes HA1s be stored also as they are until then. Needs the rights of operators. */
export async function allowPlainUntil(tx: Tx, until: Date): Promise<void> {
  await sql`
    insert into edge.plain_digests (until) values (${until})
    on conflict (only_row) do update set until = excluded.until`.execute(tx);
}
