import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { erasedText, type Person, searchText } from '../../platform/erased.ts';
import { spellingsOf } from '../../platform/phone.ts';

/**
 * Removes the person's name and number from extensions, which stay usable, and the addresses of their phones; returns
 * their ids. `tx` must have the rights of operators.
 */
export async function eraseFromExtensions(tx: Tx, accountId: number, person: Person): Promise<number[]> {
  const changed = tx.updateTable('extensions').where('account_id', '=', accountId).returning('id');
  const rows =
    'phone' in person
      ? await changed.set({ bina: '' }).where('bina', 'in', spellingsOf(person.phone)).execute()
      : await changed
          .set({
            first_name: erasedText,
            last_name: erasedText,
            email_address: erasedText,
            bina: '',
            user_id: null,
          })
          .where(sql<string>`lower(email_address)`, '=', searchText(person))
          .execute();
  const ids = rows.map(({ id }) => id);
  if ('email' in person && ids.length > 0) await sql`select edge.erase_phones(${ids}::bigint[])`.execute(tx);
  return ids;
}
