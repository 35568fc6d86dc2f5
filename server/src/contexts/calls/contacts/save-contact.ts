import type { Caller } from '../../../platform/caller.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { isUuid, uuidv7 } from '../../../platform/ids.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { requireRoom } from '../../limits/index.ts';
import { faultOfText, isSameText } from './contact.rules.ts';
import { countContacts, deleteContact, hasCallWith, lockContacts, saveContacts } from './contact.store.ts';
import type { Contact, ContactDeps, ContactText } from './contact.ts';

/** Creates the contact of a number, or replaces its name and deal. The same values again change nothing. */
export async function saveContact(
  { db, clock }: ContactDeps,
  caller: Caller,
  given: ContactText,
): Promise<Contact> {
  const text = { ...given, name: given.name || null, deal: given.deal || null };
  const fault = faultOfText(text);
  if (fault) throw invalid(fault);
  const { accountId } = caller;
  return await inAccount(db, accountId, async (tx) => {
    const callsOf = callsSeenBy(caller);
    // Whether the contact exists makes no difference, so that the response does not show it.
    if (callsOf !== undefined && !(await hasCallWith(tx, accountId, callsOf, text.number)))
      throw new Refusal('ACCESS_DENIED', 'You have had no call with this number.');
    const before = (await lockContacts(tx, accountId, [text.number])).get(text.number);
    if (before?.source === 'manual' && isSameText(before, text)) return before;
    if (!before) await requireRoom(tx, accountId, 'contacts', () => countContacts(tx, accountId));
    const at = clock.now();
    const written = [{ ...text, id: uuidv7(at) }];
    const [contact] = await saveContacts(tx, accountId, written, { source: 'manual', at });
    if (!contact) throw new Error('The contact was not saved.');
    await recordChangeBy(tx, caller, {
      at,
      action: 'contact.save',
      target: { type: 'contact', id: contact.id },
      ...(before && { before: { source: before.source } }),
      // Names and numbers are in the contact only, where they can be erased.
      after: { source: contact.source },
    });
    return contact;
  });
}

export async function removeContact({ db, clock }: ContactDeps, caller: Caller, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const { accountId } = caller;
  await inAccount(db, accountId, async (tx) => {
    const contact = await deleteContact(tx, accountId, id);
    if (!contact) throw notFound();
    await recordChangeBy(tx, caller, {
      at: clock.now(),
      action: 'contact.remove',
      target: { type: 'contact', id },
      before: { source: contact.source },
    });
  });
}
