import type { Caller } from '../../../platform/caller.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import { readPhone } from '../../../platform/phone.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { findContact } from './contact.store.ts';
import type { Contact, ContactDeps } from './contact.ts';

export async function readContact({ db }: ContactDeps, caller: Caller, id: string): Promise<Contact> {
  if (!isUuid(id)) throw notFound();
  const { accountId } = caller;
  const contact = await inAccount(db, accountId, (tx) =>
    findContact(tx, accountId, callsSeenBy(caller), { id }),
  );
  if (!contact) throw notFound();
  return contact;
}

/** Returns the contact of a number in any notation; undefined if the caller sees none. */
export async function lookUpContact(
  { db }: ContactDeps,
  caller: Caller,
  text: string,
): Promise<Contact | undefined> {
  const reading = readPhone(text);
  if (reading.kind !== 'number') return undefined;
  const { accountId } = caller;
  return await inAccount(db, accountId, (tx) =>
    findContact(tx, accountId, callsSeenBy(caller), { number: reading.digits }),
  );
}
