import { extensionBody } from '../../../server/test/harness/fixtures/extensions.ts';
import type { Person, TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import { until } from '../../../server/test/harness/until.ts';

/** A user with an extension. */
export interface Agent {
  person: Person;
  account: TestAccount;
  extension: { id: number; ramal: string; senha: string };
}

export async function addAgent(
  { database }: Platform,
  account: TestAccount,
  settings: Record<string, unknown> = {},
): Promise<Agent> {
  const person = await account.addUser('USER');
  // Extensions are assigned to verified emails; skips the confirmation email.
  await database.query('update users set email_verified = true where uuid = $1', [person.uuid]);
  const body = extensionBody({ email_address: person.email, ...settings });
  const { id, ramal } = (await account.admin.client.post('/extensions', body)).body;
  return { person, account, extension: { id, ramal, senha: String(body.senha) } };
}

export const isRegistered = async ({ account, extension }: Agent): Promise<boolean> =>
  (await account.admin.client.get(`/extensions/${extension.id}`)).body.registered;

/** Waits for a call to this number and returns the id of the newest one. */
export const callTo = async ({ admin }: TestAccount, to: string): Promise<string> =>
  await until(async () => {
    const { body } = await admin.client.list('/calls', { where: { to } }, { page: '1' });
    return body.data[0]?.id as string | undefined;
  }, `there is a call to ${to}`);
