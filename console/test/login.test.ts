import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, password, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

test('a user logs in, stays logged in after a reload, and logs out', async () => {
  const { page, faults, context, close } = await testConsole.view();
  await page.goto('/calls');
  await page.waitForURL('**/login?next=%2Fcalls');
  await page.getByLabel('E-mail').fill(account.admin.email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('heading', { name: 'Chamadas' }).waitFor();
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: '__Host-disca', httpOnly: true, secure: true, sameSite: 'Strict' });
  await page.reload();
  await page.getByRole('heading', { name: 'Chamadas' }).waitFor();
  await page.getByRole('button', { name: /^Você/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL('**/login');
  expect(await context.cookies()).toEqual([]);
  await page.goto('/calls');
  await page.waitForURL('**/login?next=%2Fcalls');
  expect(faults).toEqual([]);
  await close();
});
