import type { Person } from '../../server/test/harness/people.ts';
import type { DemoAccount } from './harness/demo-account.ts';
import { logInToEmptyAccount } from './harness/demo-extensions.ts';
import type { Screen } from './screens.ts';

const faultyFile = [
  'ramal;nome;sobrenome;e-mail;gravar',
  '2001;Ana;Souza;ana@example.com;sim',
  '3001;Bruno;Lima;bruno(at)example.com;talvez',
  '3002;Íris;;iris@example.com;não',
  '3003;Davi;Rocha;davi@example.com;sim',
].join('\n');

export const extensionScreens: Screen[] = [
  {
    name: 'extensions',
    as: 'ADMIN',
    path: '/extensions',
    prepare: (page) => page.getByRole('row', { name: /2001/ }).waitFor(),
  },
  {
    name: 'extensions-open',
    as: 'ADMIN',
    path: '/extensions?ramal=2002',
    prepare: (page) => page.getByRole('heading', { name: /2002/ }).waitFor(),
  },
  {
    name: 'extensions-user',
    as: 'USER',
    path: '/extensions?whose=all',
    prepare: (page) => page.getByRole('row', { name: /2002/ }).waitFor(),
  },
  {
    name: 'extensions-empty',
    as: 'ADMIN',
    path: '/extensions',
    changesSession: true,
    async prepare(page, demo) {
      await logInToEmptyAccount(page, demo, '/extensions');
      await page.locator('figure').waitFor();
    },
  },
  {
    name: 'extensions-nothing',
    as: 'ADMIN',
    path: '/extensions?find=unknown',
    prepare: (page) => page.getByText(/filtros\.|filters\./).waitFor(),
  },
  {
    name: 'extension-new',
    as: 'ADMIN',
    path: '/extensions',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Novo ramal|New extension)$/ }).click();
      await page.locator('[name=ramal][value]').waitFor();
      await page.locator('[name=ramal]').fill('1');
      await page.locator('dialog [type=submit]').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'extension-remove',
    as: 'ADMIN',
    path: '/extensions?ramal=2002',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Remover|Remove)$/ }).click();
      await page.getByRole('dialog', { name: /2002\?/ }).waitFor();
    },
  },
  {
    name: 'extension-set-up',
    as: 'ADMIN',
    path: '/extensions?ramal=2002',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Configurar telefone|Set up phone)$/ }).click();
      await page.locator('dialog select').selectOption('wave');
      await page.getByRole('button', { name: /QR/ }).click();
      await page.getByRole('img', { name: /QR/ }).waitFor();
    },
  },
  {
    name: 'extension-set-up-registered',
    as: 'ADMIN',
    path: '/extensions?ramal=2001',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Configurar telefone|Set up phone)$/ }).click();
      await page.locator('dialog select').selectOption('microsip');
      await page.getByText(/^(Um telefone está registrado|A phone has been registered)/).waitFor();
    },
  },
  {
    name: 'extension-set-up-user',
    as: 'USER',
    path: '/extensions?ramal=2002',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Configurar telefone|Set up phone)$/ }).click();
      await page.locator('dialog select').waitFor();
    },
  },
  {
    name: 'extensions-import',
    as: 'ADMIN',
    path: '/extensions',
    async prepare(page) {
      await page.getByRole('button', { name: /CSV/ }).click();
      const file = { name: 'ramais.csv', mimeType: 'text/csv', buffer: Buffer.from(faultyFile) };
      await page.locator('dialog [type=file]').setInputFiles(file);
      await page.locator('dialog tbody tr').first().waitFor();
    },
  },
];

/** Gives the account people in several states. */
async function spreadStates({ admin, user }: DemoAccount): Promise<void> {
  const set = (person: Person, body: object) =>
    person.client.request('PUT', '/users/me/availability', { body });
  await set(admin, { status: 'away', reason: 'Reunião com a equipe de vendas de sábado' });
  await set(user, { status: 'do_not_disturb' });
}

const resetStates = async (people: Person[]): Promise<void> => {
  for (const { client } of people)
    await client.request('PUT', '/users/me/availability', { body: { status: 'available' } });
};

export const teamScreens: Screen[] = [
  {
    name: 'team',
    as: 'ADMIN',
    path: '/team',
    async prepare(page, demo) {
      await spreadStates(demo);
      await page.getByRole('row', { name: /Reunião/ }).waitFor();
    },
  },
  {
    name: 'team-menu',
    as: 'ADMIN',
    path: '/team',
    async prepare(page, demo) {
      await resetStates([demo.admin, demo.user]);
      await page.getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: /^(Sua disponibilidade|Your availability)/ }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'team-wall',
    as: 'ADMIN',
    path: '/team?wall=true',
    prepare: (page) => page.getByRole('dialog').getByRole('listitem').nth(5).waitFor(),
  },
];

export const peopleScreens: Screen[] = [
  {
    name: 'people',
    as: 'ADMIN',
    path: '/people',
    prepare: (page) => page.getByRole('row', { name: /você|you/ }).waitFor(),
  },
  {
    name: 'people-open',
    as: 'ADMIN',
    path: ({ user }) => `/people?person=${user.uuid}`,
    prepare: (page) =>
      page
        .getByRole('button', { name: /^(Editar|Edit)$/ })
        .first()
        .waitFor(),
  },
  {
    name: 'people-invitations',
    as: 'ADMIN',
    path: '/people',
    async prepare(page, { account, platform }) {
      await account.admin.client.post('/users/invitations', {
        email: `zelia-${Date.now()}@example.com`,
        name: 'Zélia Prado',
        role: 'USER',
      });
      const { body } = await account.admin.client.post('/users/invitations', {
        email: `davi-${Date.now()}@example.com`,
        role: 'ADMIN',
      });
      await platform.database.query(
        `update invitations set expires_at = expires_at - interval '4 days' where uuid = $1`,
        [body.uuid],
      );
      await page.reload();
      await page
        .getByText(/^(expirado|expired)$/)
        .first()
        .waitFor();
    },
  },
  { name: 'people-user', as: 'USER', path: '/people' },
  {
    name: 'people-empty',
    as: 'ADMIN',
    path: '/people',
    changesSession: true,
    async prepare(page, demo) {
      await logInToEmptyAccount(page, demo, '/people?role=USER');
      await page.getByText(/filtros\.|filters\./).waitFor();
    },
  },
  {
    name: 'person-new',
    as: 'ADMIN',
    path: '/people',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Convidar pessoa|Invite person)$/ }).click();
      await page.locator('[name=name]').fill('Zélia');
      await page.locator('dialog [type=submit]').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'person-invited',
    as: 'ADMIN',
    path: '/people',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Convidar pessoa|Invite person)$/ }).click();
      await page.locator('[name=name]').fill('Zélia Prado');
      await page.locator('[name=email]').fill(`zelia-${Date.now()}@example.com`);
      await page.locator('dialog [type=submit]').click();
      await page.getByText(/^(O ramal|Extension) \d+ /).waitFor();
    },
  },
  {
    name: 'person-edit',
    as: 'ADMIN',
    path: ({ admin }) => `/people?person=${admin.uuid}`,
    async prepare(page) {
      await page.getByRole('button', { name: /^(Editar|Edit)$/ }).click();
      await page.locator('[name=role]').waitFor();
    },
  },
  {
    name: 'person-permissions',
    as: 'ADMIN',
    path: ({ user }) => `/people?person=${user.uuid}`,
    async prepare(page) {
      await page.getByRole('button', { name: /^(Permissões|Permissions)$/ }).click();
      await page.locator('[name=supervision]').waitFor();
    },
  },
  {
    name: 'token-new',
    as: 'USER',
    path: '/people',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Criar token|Create token)$/ }).click();
      await page.locator('[name=name]').fill('CRM');
      await page.locator('dialog [type=submit]').click();
      await page.locator('dialog pre').first().waitFor();
    },
  },
  {
    name: 'token-form',
    as: 'ADMIN',
    path: '/people',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Criar token|Create token)$/ }).click();
      await page.locator('[name=service]').check();
      await page.locator('[name=addresses]').fill('203.0.113');
      await page.locator('dialog [type=submit]').click();
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'token-revoke',
    as: 'USER',
    path: '/people',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Criar token|Create token)$/ }).click();
      await page.locator('[name=name]').fill('ERP');
      await page.locator('dialog [type=submit]').click();
      await page.locator('dialog pre').first().waitFor();
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^(Revogar|Revoke) ERP / })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
