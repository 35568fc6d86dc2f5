import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addProviderUser,
  createSsoAccount,
  type Identity,
  startIdentity,
} from '../../server/test/harness/identity/sso-account.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let identity: Identity;
let account: TestAccount & { mailDomain: string };

beforeAll(async () => {
  const port = await freePort();
  identity = await startIdentity(`http://127.0.0.1:${port}`);
  const overrides = { identity: identity.override };
  testConsole = await startConsole(identity.settings, overrides, '127.0.0.1', port);
  account = await createSsoAccount(testConsole.platform, identity);
});
afterAll(async () => {
  await testConsole?.close();
  await identity?.close();
});

async function enterAtProvider(page: Page, sub: string): Promise<void> {
  await page.getByRole('heading', { name: 'Test provider' }).waitFor();
  await page.getByLabel('User').fill(sub);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function logIn(page: Page, email: string, sub: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Entrar com login único (SSO)' }).click();
  await page.getByLabel('E-mail de trabalho').fill(email);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await enterAtProvider(page, sub);
}

/** Faults other than the visit to the provider. */
const ownFaults = (faults: string[]): string[] =>
  faults.filter((fault) => !fault.startsWith(`elsewhere: ${identity.provider.issuer}`));

test('SSO-05 SSO-07 SSO-11 a person logs in at the provider and confirms there again', async () => {
  const { email, sub } = addProviderUser(identity.provider, account.mailDomain);
  const { page, context, faults, close } = await testConsole.view({ trustsAll: true });
  await logIn(page, email, sub);
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/settings');
  await testConsole.platform.database.query(
    "update access_tokens set proved_at = proved_at - interval '11 minutes' where is_sso",
  );
  await page.getByRole('button', { name: 'Adicionar aplicativo autenticador' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirme que é você' });
  const opened = context.waitForEvent('page');
  await proof.getByRole('button', { name: 'Confirmar com login único' }).click();
  await enterAtProvider(await opened, sub);
  await page.getByRole('img', { name: 'Código QR para o aplicativo autenticador' }).waitFor();
  expect(ownFaults(faults)).toEqual([]);
  await close();
});

test('SSO-08 a person whom the provider may not vouch for sees one refusal', async () => {
  const { email, sub } = addProviderUser(identity.provider, account.mailDomain, { email_verified: false });
  const { page, close } = await testConsole.view({ trustsAll: true });
  await logIn(page, email, sub);
  await page.getByText('O login único não foi concluído.').waitFor();
  await page.getByRole('link', { name: 'Voltar ao login' }).click();
  await page.waitForURL('**/login');
  await close();
});

test('SSO-01 SSO-03 SSO-14 an ADMIN sets up a provider, sees the DNS record, and tests the login', async () => {
  const other = await createAccount(testConsole.platform);
  const { page, context, faults, close } = await testConsole.viewAs(other.admin, '/settings', {
    trustsAll: true,
  });
  const panel = page.getByRole('region', { name: 'Login único (SSO)' });
  await panel.getByRole('button', { name: 'Configurar login único' }).click();
  const { issuer, clientId, clientSecret } = identity.provider;
  await panel.getByLabel('URL do emissor (issuer)').fill(issuer);
  await panel.getByLabel('ID do cliente').fill(clientId);
  await panel.getByLabel('Segredo do cliente').fill(clientSecret);
  await panel.getByLabel('Domínios de e-mail').fill('novo.sso.test');
  await panel.getByRole('button', { name: 'Salvar login único' }).click();
  await panel.getByText('_disca.novo.sso.test').waitFor();
  await panel.getByRole('button', { name: 'Verificar novo.sso.test' }).click();
  await panel.getByText('O registro não foi encontrado.').waitFor();
  const { sub } = addProviderUser(identity.provider, 'novo.sso.test');
  const opened = context.waitForEvent('page');
  await panel.getByRole('button', { name: 'Testar login' }).click();
  await enterAtProvider(await opened, sub);
  await panel.getByText('O teste falhou. The domain of the e-mail address is not proved.').waitFor();
  expect(ownFaults(faults)).toEqual([]);
  await close();
});
