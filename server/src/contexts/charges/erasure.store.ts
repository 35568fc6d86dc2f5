import type { Tx } from '../../platform/db/database.ts';
import type { Person } from '../../platform/erased.ts';
import { contactReadings } from '../../platform/phone.ts';

/** Erases the person from the contact data of financial accounts; the tax id stays. Returns how many were changed. */
export async function eraseFromFinancial(tx: Tx, accountId: number, person: Person): Promise<number> {
  const rows = await tx
    .selectFrom('financial_accounts')
    .select(['book', 'phone', 'mobile_phone', 'additional_emails'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .execute();
  let changed = 0;
  for (const { book, ...before } of rows) {
    const after = withoutPerson(before, person);
    if (Object.entries(before).every(([name, value]) => after[name as keyof Contact] === value)) continue;
    changed += 1;
    await tx
      .updateTable('financial_accounts')
      .set(after)
      .where('account_id', '=', accountId)
      .where('book', '=', book)
      .execute();
  }
  return changed;
}

interface Contact {
  phone: string | null;
  mobile_phone: string | null;
  additional_emails: string | null;
}

function withoutPerson(contact: Contact, person: Person): Contact {
  if ('phone' in person) {
    const kept = (number: string | null) =>
      number !== null && contactReadings(number).includes(person.phone) ? null : number;
    return { ...contact, phone: kept(contact.phone), mobile_phone: kept(contact.mobile_phone) };
  }
  const emails = contact.additional_emails?.split(',') ?? [];
  const kept = emails.filter((email) => email.trim().toLowerCase() !== person.email.toLowerCase());
  if (kept.length === emails.length) return contact;
  return { ...contact, additional_emails: kept.length === 0 ? null : kept.join(',').trim() };
}
