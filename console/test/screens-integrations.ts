import type { Page } from 'playwright-core';
import type { DemoAccount } from './harness/demo-account.ts';
import type { Screen } from './screens.ts';

const open = async (page: Page, name: string, part?: RegExp): Promise<void> => {
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  if (part) await page.getByRole('tab', { name: part }).click();
};

/** Integrations of the demo account: `crm` failed once, `erp-antigo` is down. */
export const integrationScreens: Screen[] = [
  {
    name: 'integrations',
    as: 'ADMIN',
    path: '/integrations',
  },
  { name: 'integrations-empty', as: 'USER', path: '/integrations' },
  {
    name: 'integrations-failing',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page) {
      await open(page, 'erp-antigo');
      await page.locator('main [aria-expanded]:has(time)').last().click();
      await page.locator('main ol li').first().waitFor();
      await page.locator('main summary').click();
    },
  },
  {
    name: 'integrations-replay',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page) {
      await open(page, 'crm');
      await page.getByRole('button', { name: /Reenviar um período|Replay a period/ }).click();
      await page.locator('main [type=datetime-local]').first().waitFor();
    },
  },
  {
    name: 'integrations-explain',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page, { runningId }) {
      await open(page, 'crm', /Diagnóstico|Troubleshoot/);
      await page.locator('[name=call]').fill(runningId);
      await page.keyboard.press('Enter');
      await page.locator('main [role=status]').first().waitFor();
      await page.getByRole('button', { name: /Verificar período|Check period/ }).click();
      await page.locator('main details').waitFor();
    },
  },
  {
    name: 'integrations-secret',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page) {
      await open(page, 'crm', /Segredo|Secret/);
      await page.getByRole('button', { name: /Mostrar|Show/ }).click();
      await page.getByRole('button', { name: /Trocar segredo|Rotate secret/ }).click();
    },
  },
  {
    name: 'integrations-test',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page, { platform, admin }) {
      // A private URL, which the API rejects, so it is set in the database.
      const gateway = 'estoque';
      const metadata = { webhookUrl: 'https://hooks.example.com/', webhookTypes: ['channel-hangup'] };
      const { body } = await admin.client.patch('/integrations', { gateway, webhook: true, metadata });
      await platform.database.query(
        `update integrations set webhook_url = 'https://10.0.0.1/', failing_since = null where id = $1`,
        [body.id],
      );
      await page.reload();
      await open(page, gateway, /Teste|Test/);
      await page.getByRole('button', { name: /Enviar teste|Send test/ }).click();
      await page.locator('main summary').click();
    },
  },
  {
    name: 'integrations-settings',
    as: 'ADMIN',
    path: '/integrations',
    async prepare(page) {
      await open(page, 'crm', /Configurações|Settings/);
      await page.getByRole('button', { name: /Adicionar condição|Add condition/ }).click();
      await page.getByRole('button', { name: /Remover integração|Remove integration/ }).click();
      await page.locator('[name=url]').fill('http://user@hooks.example.com/');
      await page.locator('main form [type=submit]').click();
      await page.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'integrations-wizard',
    as: 'ADMIN',
    path: '/integrations/new',
    async prepare(page) {
      await page.locator('main [type=submit]:enabled').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'integrations-wizard-events',
    as: 'USER',
    path: '/integrations/new',
    async prepare(page) {
      await page.locator('[name=gateway]').fill('crm');
      await page.locator('[name=url]').fill('https://hooks.example.com/disca');
      await page.locator('main [type=submit]:enabled').click();
      await page.locator('[type=checkbox]').first().waitFor();
    },
  },
];

/** One request of each outcome, in the request log of the caller. */
async function recordRequests({ platform, account, admin }: DemoAccount): Promise<void> {
  const { body } = await admin.client.post('/users/accessTokens', { name: 'CRM da matriz' });
  const client = admin.client.as(body.id);
  await client.patch('/users', { name: 'Ana', telefone_celular: '11987654321', apelido: 'Aninha' });
  await client.get('/nowhere');
  await client.patch('/users', { name: 'Ana' });
  await platform.api.app.requestLog?.flush();
  await platform.database.query(
    `update requests set ignored_fields = '["apelido", "metadata.origem"]'
      where account_id = $1 and token_name = 'CRM da matriz' and status = 200`,
    [account.id],
  );
}

export const requestScreens: Screen[] = [
  {
    name: 'requests',
    as: 'ADMIN',
    path: '/requests',
    async prepare(page, demo) {
      await recordRequests(demo);
      await page.reload();
      await page.getByText('metadata.origem').first().waitFor();
    },
  },
  {
    name: 'requests-nothing',
    as: 'USER',
    path: '/requests?show=ignored&request=lead-4711-call',
    prepare: (page) =>
      page
        .locator('main')
        .getByText(/filtros\.|filters\./)
        .waitFor(),
  },
];
