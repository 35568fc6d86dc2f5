import { createAccount, type Person, type TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import { addCalls, type SceneCalls } from './scene-calls.ts';
import { addMoney } from './scene-money.ts';
import { addExtensions } from './scene-people.ts';

/** A company with data for every screen. */
export interface Scene extends SceneCalls {
  platform: Platform;
  account: TestAccount;
  admin: Person;
  user: Person;
  /** A paid charge. */
  chargeId: number;
}

export async function setScene(platform: Platform): Promise<Scene> {
  const account = await createAccount(platform, {
    organization_name: 'Imobiliária Nossa Senhora da Conceição Ltda.',
  });
  const user = await account.addUser('USER');
  const calls = await addCalls(platform, account, account.admin);
  const { chargeId } = await addMoney(platform, account);
  await addExtensions(platform, account.admin, user);
  return { platform, account, admin: account.admin, user, ...calls, chargeId };
}
