import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Contacts } from '../../../platform/db/schema.ts';
import { mentionOf, type Person } from '../../../platform/erased.ts';
import { sharesOf } from '../own-calls.store.ts';
import type { Term } from '../search/terms.rules.ts';
import type { Contact, ContactSource, ContactText } from './contact.ts';

const columns = ['id', 'number', 'name', 'deal', 'source', 'created_at', 'updated_at'] as const;
type Row = Pick<Selectable<Contacts>, (typeof columns)[number]>;

export const contactFromRow = (row: Row): Contact => ({
  id: row.id,
  number: row.number,
  name: row.name,
  deal: row.deal,
  source: row.source as ContactSource,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Selects the contacts that a user sees: those of the numbers of the user's calls, or all of the account. */
export const selectContacts = (tx: Tx, accountId: number, callsOf: number | undefined) =>
  tx
    .selectFrom('contacts')
    .select([...columns, 'sort_name'])
    .where('account_id', '=', accountId)
    .where(callsOf === undefined ? sql<boolean>`true` : hasCallOf(accountId, callsOf, sql.ref('number')));

/** Whether the user has a call from or to the number: one index scan for each share of the user's calls. */
function hasCallOf(accountId: number, userId: number, number: RawBuilder<unknown>): RawBuilder<boolean> {
  const parts = (sharesOf(userId) ?? []).flatMap((share) =>
    ['to', 'from'].map(
      (party) => sql`select ${sql.ref(party)} from calls where account_id = ${accountId} and ${share}`,
    ),
  );
  return sql<boolean>`${number} in (${sql.join(parts, sql` union all `)})`;
}

export async function hasCallWith(
  tx: Tx,
  accountId: number,
  userId: number,
  number: string,
): Promise<boolean> {
  const share = sql.join(sharesOf(userId) ?? [], sql` or `);
  const exists = ['to', 'from'].map(
    (party) =>
      sql`exists (select from calls where account_id = ${accountId} and ${sql.ref(party)} = ${number} and (${share}))`,
  );
  const query = sql<{ has: boolean }>`select ${sql.join(exists, sql` or `)} as has`;
  return (await query.execute(tx)).rows[0]?.has ?? false;
}

/** Whether a contact matches all terms of a search: by its words, or the beginning of its number in any notation. */
export function matching(terms: Term[]): RawBuilder<boolean> {
  const tests = terms.map(({ prefixes }) => {
    const words = prefixes.map((prefix) => ` ${prefix.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()}`);
    const digits = prefixes.filter((prefix) => /^\d+$/.test(prefix));
    return sql`(exists (select from unnest(${words}::text[]) w where position(w in words) > 0)
      or exists (select from unnest(${digits}::text[]) d
                  where number ^@ d or (number ^@ '55' and (substr(number, 3) ^@ d or substr(number, 5) ^@ d))))`;
  });
  return tests.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(tests, sql` and `)}`;
}

export async function findContact(
  tx: Tx,
  accountId: number,
  callsOf: number | undefined,
  by: { id: string } | { number: string },
): Promise<Contact | undefined> {
  const visible = selectContacts(tx, accountId, callsOf);
  const query = 'id' in by ? visible.where('id', '=', by.id) : visible.where('number', '=', by.number);
  const row = await query.executeTakeFirst();
  return row && contactFromRow(row);
}

/** Returns the contacts of these numbers, and locks the contacts of the account until the end of the transaction. */
export async function lockContacts(
  tx: Tx,
  accountId: number,
  numbers: string[],
): Promise<Map<string, Contact>> {
  // As in fill_contacts. Row locks would be taken in another order there, and new numbers have no row to lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contacts:${accountId}`}, 0))`.execute(tx);
  const rows = await tx
    .selectFrom('contacts')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('number', '=', sql<string>`any(${numbers}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.number, contactFromRow(row)]));
}

export async function countContacts(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('contacts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Writes contacts, at most one for each number; returns them as they are stored. */
export async function saveContacts(
  tx: Tx,
  accountId: number,
  contacts: (ContactText & { id: string })[],
  { source, at }: { source: ContactSource; at: Date },
): Promise<Contact[]> {
  if (contacts.length === 0) return [];
  const rows = await tx
    .insertInto('contacts')
    .values(
      contacts.map((contact) => ({
        ...contact,
        account_id: accountId,
        source,
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'number']).doUpdateSet((of) => ({
        name: of.ref('excluded.name'),
        deal: of.ref('excluded.deal'),
        source,
        updated_at: at,
      })),
    )
    .returning(columns)
    .execute();
  return rows.map(contactFromRow);
}

export async function deleteContact(tx: Tx, accountId: number, id: string): Promise<Contact | undefined> {
  const row = await tx
    .deleteFrom('contacts')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row && contactFromRow(row);
}

/** Deletes the contact of the person's number, and those whose name or deal mentions the person. */
export async function eraseContacts(tx: Tx, accountId: number, person: Person): Promise<number> {
  const own = 'phone' in person ? sql<boolean>`number = ${person.phone}` : sql<boolean>`false`;
  const { numAffectedRows } = await sql`
    delete from contacts
     where account_id = ${accountId} and (${own} or concat_ws(' ', name, deal) ~* ${mentionOf(person)})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

export interface FilledContact extends ContactText {
  accountId: number;
  id: string;
  at: Date;
}

/** Creates and updates contacts of any account from the metadata of calls; see `fill_contacts`. */
export async function fillContacts(tx: Tx, contacts: FilledContact[]): Promise<void> {
  if (contacts.length === 0) return;
  await sql`select fill_contacts(${contacts.map(({ accountId }) => accountId)}::bigint[],
    ${contacts.map(({ id }) => id)}::uuid[], ${contacts.map(({ number }) => number)}::text[],
    ${contacts.map(({ name }) => name)}::text[], ${contacts.map(({ deal }) => deal)}::text[],
    ${contacts.map(({ at }) => at)}::timestamptz[])`.execute(tx);
}
