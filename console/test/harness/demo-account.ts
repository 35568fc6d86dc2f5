import { createAccount, type Person, type TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import { addCalls, type DemoCalls } from './demo-calls.ts';
import { addCharges } from './demo-charges.ts';
import { addContacts } from './demo-contacts.ts';
import { addExtensions } from './demo-extensions.ts';

/** A company with data for every screen. */
export interface DemoAccount extends DemoCalls {
  platform: Platform;
  account: TestAccount;
  admin: Person;
  user: Person;
  /** A contact with calls. */
  contactId: string;
  /** A paid charge. */
  chargeId: number;
}

export async function createDemoAccount(platform: Platform): Promise<DemoAccount> {
  const account = await createAccount(platform, {
    organization_name: 'Imobiliária Nossa Senhora da Conceição Ltda.',
  });
  // The user's screens show the calls of the account.
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const user = await account.addUser('USER');
  const calls = await addCalls(platform, account, account.admin);
  const { contactId } = await addContacts(platform, account.admin);
  const { chargeId } = await addCharges(platform, account);
  await addExtensions(platform, account.admin, user);
  return { platform, account, admin: account.admin, user, ...calls, contactId, chargeId };
}
