import type { Tx } from '../../platform/db/database.ts';
import type { Person } from '../../platform/erased.ts';
import { contactReadings } from '../../platform/phone.ts';

/** Erases the person as contact of the account; `successor` becomes the e-mail address. Returns the number of accounts. */
export async function eraseFromAccount(
  tx: Tx,
  accountId: number,
  person: Person,
  successor: string,
): Promise<number> {
  const { email, phone } = await tx
    .selectFrom('accounts')
    .select(['email', 'phone'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isContact =
    'phone' in person
      ? contactReadings(phone).includes(person.phone)
      : email.toLowerCase() === person.email.toLowerCase();
  if (!isContact) return 0;
  await tx
    .updateTable('accounts')
    .set('phone' in person ? { phone: '' } : { email: successor })
    .where('id', '=', accountId)
    .execute();
  return 1;
}
