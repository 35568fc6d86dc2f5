import type { Caller } from '../../../platform/caller.ts';
import { inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Fault } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { requireRoom } from '../../limits/index.ts';
import { type ContactRow, isFault, isSameText, readRow } from './contact.rules.ts';
import { countContacts, lockContacts, saveContacts } from './contact.store.ts';
import type { Contact, ContactDeps, ContactText } from './contact.ts';

/** What happened, or in a dry run would happen, to a row. */
export type RowResult =
  | { outcome: 'created' | 'updated' | 'unchanged'; number: string }
  | { outcome: 'refused'; fault: Fault };

/** Saves the valid rows and reports every row. A dry run only reports. */
export async function importContacts(
  deps: ContactDeps,
  caller: Caller,
  rows: ContactRow[],
  { isDryRun }: { isDryRun: boolean },
): Promise<RowResult[]> {
  const read = readRows(rows);
  const texts = read.flatMap((each) => (isFault(each) ? [] : [each]));
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const numbers = texts.map(({ number }) => number);
    const before = await lockContacts(tx, caller.accountId, numbers);
    const results = read.map((each) => resultOf(each, before));
    const created = results.filter(({ outcome }) => outcome === 'created').length;
    if (created > 0) {
      const count = () => countContacts(tx, caller.accountId);
      await requireRoom(tx, caller.accountId, 'contacts', count, created);
    }
    const changed = texts.filter((text) => resultOf(text, before).outcome !== 'unchanged');
    if (!isDryRun && changed.length > 0) await save(tx, deps, caller, changed, created);
    return results;
  });
}

function readRows(rows: ContactRow[]): (ContactText | Fault)[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const read = readRow(row, taken);
    if (!isFault(read)) taken.add(read.number);
    return read;
  });
}

/** The same values as in a contact from metadata are a change: calls no longer replace them. */
function resultOf(read: ContactText | Fault, contacts: Map<string, Contact>): RowResult {
  if (isFault(read)) return { outcome: 'refused', fault: read };
  const before = contacts.get(read.number);
  if (!before) return { outcome: 'created', number: read.number };
  const isUnchanged = before.source !== 'metadata' && isSameText(before, read);
  return { outcome: isUnchanged ? 'unchanged' : 'updated', number: read.number };
}

async function save(
  tx: Tx,
  { clock }: ContactDeps,
  caller: Caller,
  texts: ContactText[],
  created: number,
): Promise<void> {
  const at = clock.now();
  const contacts = texts.map((text) => ({ ...text, id: uuidv7(at) }));
  await saveContacts(tx, caller.accountId, contacts, { source: 'import', at });
  await recordChangeBy(tx, caller, {
    at,
    action: 'contact.import',
    target: { type: 'account', id: String(caller.accountId) },
    after: { created, updated: texts.length - created },
  });
}
