import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { withName, withView } from '../src/features/calls/saved/stored-views.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { plainCall } from './harness/demo-calls.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  const nowMs = testConsole.platform.clock.now().getTime();
  const calls = Array.from({ length: 30 }, (_, n) => plainCall(n, nowMs));
  await insertCalls(testConsole.platform.database, account, calls);
});
afterAll(() => testConsole?.close());

test('LIST-26 a view is saved under a name, opened with one click, renamed and removed', async () => {
  const { page, faults, close } = await testConsole.viewAs(
    account.admin,
    '/calls?period=7d&outcome=busy&order=oldest&extension=1001',
  );
  await page.getByRole('button', { name: 'Salvar visão' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A visão fica neste navegador, só para você.').waitFor();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.getByText('Informe um nome.').waitFor();
  await dialog.getByLabel('Nome da visão').fill('Ocupadas da recepção');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  const views = page.getByRole('list', { name: 'Visões salvas' });
  await views.getByRole('button', { name: 'Ocupadas da recepção', exact: true, pressed: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Salvar visão' }).count()).toBe(0);

  await page.goto('/calls');
  await views.getByRole('button', { name: 'Ocupadas da recepção', pressed: false }).click();
  await page.waitForURL((url) =>
    ['period=7d', 'outcome=busy', 'order=oldest', 'extension=1001'].every((each) =>
      url.search.includes(each),
    ),
  );
  await page.getByText('Ramal = 1001').waitFor();

  await views.getByRole('button', { name: 'Alterar a visão Ocupadas da recepção' }).click();
  await page.getByRole('menuitem', { name: 'Renomear' }).click();
  await page.getByRole('dialog').getByLabel('Nome da visão').fill('Ocupadas');
  await page.keyboard.press('Enter');
  await page.reload();
  await views.getByRole('button', { name: 'Alterar a visão Ocupadas' }).click();
  await page.getByRole('menuitem', { name: 'Remover' }).click();
  await views.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await close();
});

test('LIST-26 each user has separate views, and stored views that are not valid are dropped', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/calls');
  await page.evaluate((uuid) => {
    const views = [
      { name: 'Hoje', search: { period: 'today', nonsense: 1 } },
      { name: '', search: {} },
      { search: 'x' },
      null,
    ];
    localStorage.setItem(`disca.calls.views.${uuid}`, JSON.stringify(views));
    localStorage.setItem('disca.calls.views.other', JSON.stringify([{ name: 'Alheia', search: {} }]));
  }, account.admin.uuid);
  await page.reload();
  const views = page.getByRole('list', { name: 'Visões salvas' });
  await views.getByRole('button').first().waitFor();
  expect(await views.getByRole('button').allTextContents()).toEqual(['Hoje']);
  await page.evaluate((uuid) => localStorage.setItem(`disca.calls.views.${uuid}`, '{'), account.admin.uuid);
  await page.reload();
  await page.locator('tbody tr').first().waitFor();
  expect(await views.count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('LIST-26 a browser keeps 20 views, and a view replaces the one with its name', () => {
  const numbered = Array.from({ length: 20 }, (_, n) => ({ name: `${n}`, search: {} }));
  expect(withView(numbered, { name: 'more', search: {} })).toHaveLength(20);
  const replaced = withView(numbered, { name: '3', search: { period: 'today' } });
  expect([replaced.length, replaced[3]]).toEqual([20, { name: '3', search: { period: 'today' } }]);
  const named = withName(numbered, '3', '5');
  expect(named).toHaveLength(19);
  expect(named.filter(({ name }) => name === '5')).toHaveLength(1);
});
