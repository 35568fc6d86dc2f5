import type { Page } from 'playwright-core';
import { markRegistered } from '../../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type Person, password } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';
import type { DemoAccount } from './demo-account.ts';

const extensions = [
  ['2001', 'Ana', 'Souza', 1],
  ['2002', 'Bruno', 'Albuquerque de Vasconcelos e Silva', 0],
  ['2003', 'Íris', 'Lima', 1],
  ['20040404', 'Conceição', 'do Espírito Santo', 1],
] as const;

/** Adds assigned and unassigned extensions, one of them registered. */
export async function addExtensions(platform: Platform, admin: Person, user: Person): Promise<void> {
  await platform.database.query('update users set email_verified = true where uuid = $1', [user.uuid]);
  for (const [index, [ramal, first_name, last_name, gravar_audio]] of extensions.entries()) {
    const owner = [admin.email, user.email][index] ?? `${ramal}@example.com`;
    await admin.client.post('/extensions', {
      ramal,
      senha: `uma-senha-longa-${ramal}`,
      first_name,
      last_name,
      email_address: owner,
      gravar_audio,
    });
  }
  const { body } = await admin.client.get('/extensions');
  const first = (body as { id: number; ramal: string }[]).find(({ ramal }) => ramal === '2001');
  if (first) await markRegistered(platform, first.id, 86_400);
}

/** Logs in as the ADMIN of an empty account, in the current language. */
export async function logInToEmptyAccount(
  page: Page,
  { platform }: DemoAccount,
  path: string,
): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const locale = await page.evaluate(() => document.documentElement.lang);
  const { admin } = await createAccount(platform);
  await admin.client.patch('/users', { locale });
  await page.evaluate(
    (body) =>
      fetch('/api/v1/console/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Disca-Console': '1' },
        body,
      }),
    JSON.stringify({ email: admin.email, password }),
  );
  await page.goto(path);
}
