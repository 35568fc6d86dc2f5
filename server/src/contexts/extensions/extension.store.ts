import { type InferResult, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { StoredDigest } from './digest.rules.ts';
import { firstRamal } from './extension.rules.ts';
import type { Extension } from './extension.ts';

/** Columns have the API's field names, so that filters apply to them. Expired registrations do not count. */
export const selectExtensions = (tx: Tx, accountId: number, at: Date) =>
  tx
    .selectFrom('extensions as e')
    .innerJoin('account_info as a', 'a.id', 'e.account_id')
    .leftJoin('extension_presence as p', (join) =>
      join.onRef('p.extension_id', '=', 'e.id').on('p.expires_at', '>', at),
    )
    .where('e.account_id', '=', accountId)
    .select([
      'e.id',
      'e.account_id',
      'a.domain',
      'e.ramal',
      'e.senha_sealed',
      'e.bina',
      'e.first_name',
      'e.last_name',
      'e.email_address',
      'e.user_id',
      'p.registered_at',
    ])
    .select(sql<number>`e.record_calls::int`.as('gravar_audio'))
    .select(sql<number>`e.auto_answer::int`.as('auto_answer'))
    .select(sql<boolean>`p.extension_id is not null`.as('registered'))
    .$narrowType<{ domain: string }>();

type Row = InferResult<ReturnType<typeof selectExtensions>>[number];

export const extensionFromRow = (row: Row): Extension => ({
  id: row.id,
  accountId: row.account_id,
  domain: row.domain,
  ramal: row.ramal,
  senhaSealed: row.senha_sealed,
  bina: row.bina,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email_address,
  userId: row.user_id,
  recordCalls: row.gravar_audio === 1,
  autoAnswer: row.auto_answer === 1,
  registeredAt: row.registered_at,
});

export async function findExtension(
  tx: Tx,
  accountId: number,
  id: number,
  at: Date,
): Promise<Extension | undefined> {
  const row = await selectExtensions(tx, accountId, at).where('e.id', '=', id).executeTakeFirst();
  return row && extensionFromRow(row);
}

/** Returns a user's extensions, by number. */
export async function findExtensionsOf(
  tx: Tx,
  accountId: number,
  userId: number,
  at: Date,
): Promise<Extension[]> {
  const own = selectExtensions(tx, accountId, at).where('e.user_id', '=', userId);
  return (await own.orderBy('e.ramal').limit(maxOwn).execute()).map(extensionFromRow);
}

/** Safety limit: more than any user needs. */
const maxOwn = 100;

export async function countExtensions(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('extensions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findDomain(tx: Tx, accountId: number): Promise<string> {
  const query = tx
    .selectFrom('account_info')
    .select('domain')
    .where('id', '=', accountId)
    .$narrowType<{ domain: string }>();
  return (await query.executeTakeFirstOrThrow()).domain;
}

/** Returns which of the numbers are in use. */
export async function findTaken(tx: Tx, accountId: number, ramais: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('extensions')
    .select('ramal')
    .where('account_id', '=', accountId)
    .where('ramal', '=', sql<string>`any(${ramais}::text[])`)
    .execute();
  return new Set(rows.map(({ ramal }) => ramal));
}

/** Returns the lowest free number: the first one, or the successor of a used one. */
export async function findFreeRamal(tx: Tx, accountId: number): Promise<string> {
  const { rows } = await sql<{ ramal: string }>`
    with numbers as (
      select ramal::int as number from extensions
       where account_id = ${accountId} and ramal ~ '^[1-9][0-9]{3,}$')
    select min(free.number)::text as ramal
      from (select ${firstRamal}::int as number union all select number + 1 from numbers) free
     where not exists (select from numbers where numbers.number = free.number)`.execute(tx);
  return rows[0]?.ramal ?? String(firstRamal);
}

const written = (extension: Omit<Extension, 'id'>, at: Date) => ({
  ramal: extension.ramal,
  senha_sealed: extension.senhaSealed,
  bina: extension.bina,
  first_name: extension.firstName,
  last_name: extension.lastName,
  email_address: extension.email,
  user_id: extension.userId,
  record_calls: extension.recordCalls,
  auto_answer: extension.autoAnswer,
  updated_at: at,
});

/** Inserts extensions and returns their ids by ramal. */
export async function insertExtensions(
  tx: Tx,
  extensions: (Omit<Extension, 'id'> & { digest: StoredDigest; at: Date })[],
): Promise<Map<string, number>> {
  const rows = await tx
    .insertInto('extensions')
    .values(
      extensions.map((each) => ({
        ...written(each, each.at),
        ha1: each.digest.ha1,
        ha1_sealed: each.digest.ha1Sealed,
        account_id: each.accountId,
        created_at: each.at,
      })),
    )
    .returning(['id', 'ramal'])
    .execute();
  return new Map(rows.map(({ id, ramal }) => [ramal, id]));
}

/** Saves an extension. A new digest, which only a new number or password has, ends its registration. */
export async function saveExtension(
  tx: Tx,
  extension: Extension,
  { digest, at }: { digest: StoredDigest | undefined; at: Date },
): Promise<void> {
  const changed = digest && {
    ha1: digest.ha1,
    ha1_sealed: digest.ha1Sealed,
    digest_version: sql<number>`digest_version + 1`,
  };
  await tx
    .updateTable('extensions')
    .set({ ...written(extension, at), ...changed })
    .where('account_id', '=', extension.accountId)
    .where('id', '=', extension.id)
    .execute();
}

/** Makes the user the owner of the extensions that have their e-mail and no owner; returns the ids. */
export async function takeOwnerless(
  tx: Tx,
  accountId: number,
  user: { id: number; email: string },
  at: Date,
): Promise<number[]> {
  const rows = await tx
    .updateTable('extensions')
    .set({ user_id: user.id, updated_at: at })
    .where('account_id', '=', accountId)
    .where('user_id', 'is', null)
    .where(sql<string>`lower(email_address)`, '=', user.email.toLowerCase())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteExtension(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx.deleteFrom('extensions').where('account_id', '=', accountId).where('id', '=', id).execute();
}
