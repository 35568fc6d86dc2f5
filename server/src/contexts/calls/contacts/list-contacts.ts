import type { Caller } from '../../../platform/caller.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { defineList, fetchCursorPage, parseFilter, pickFields } from '../../../platform/filter/index.ts';
import type { SearchQuery } from '../../../platform/list-schemas.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { termsOf } from '../search/terms.rules.ts';
import { contactFromRow, matching, selectContacts } from './contact.store.ts';
import { type Contact, type ContactDeps, contactSources } from './contact.ts';

const contacts = defineList({
  name: 'contacts',
  fields: {
    id: { type: 'uuid', sortable: true },
    number: { type: 'text', isPhone: true, sortable: true },
    name: { type: 'text', isFolded: true, sortable: true, sortColumn: 'sort_name', nullable: true },
    deal: { type: 'text', isFolded: true, sortable: true, nullable: true },
    source: { type: 'enum', values: contactSources },
    createdAt: { type: 'timestamp', column: 'created_at', sortable: true },
    updatedAt: { type: 'timestamp', column: 'updated_at', sortable: true },
  },
  defaultOrder: ['name ASC', 'id ASC'],
  tieBreaker: 'id',
  maxLimit: 100,
});

/** Lists the contacts that the caller sees, by name without case and accents; with `q` those that match all words. */
export async function listContacts<Shown extends object>(
  deps: Pick<ContactDeps, 'db'>,
  caller: Caller,
  { q, filter, cursor }: SearchQuery,
  present: (contact: Contact) => Shown,
) {
  const asked = parseFilter(contacts, filter);
  const search = q?.trim() ?? '';
  const terms = termsOf(search);
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = { ...(await asked.forAccount(tx, caller.accountId)), search };
    const source = selectContacts(tx, caller.accountId, callsSeenBy(caller)).where(matching(terms));
    const { rows, meta } = await fetchCursorPage(tx, contacts, source, query, cursor);
    return { data: rows.map((row) => pickFields(query, present(contactFromRow(row)))), meta };
  });
}
