import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo, mailsTo } from '../../server/test/harness/mailbox.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

test('INVITE-01 INVITE-02 INVITE-03 an ADMIN invites a person by keyboard, who sets a password and is in', async () => {
  const { page, requests, faults, settled, close } = await testConsole.viewAs(account.admin, '/people');
  await page.getByRole('row', { name: /você/ }).waitFor();
  await settled();
  expect(requests.length).toBeLessThanOrEqual(6);
  await page.getByRole('button', { name: 'Convidar pessoa' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Convidar pessoa' });
  await dialog.waitFor();
  await page.keyboard.type('Zélia Prado');
  await page.keyboard.press('Tab');
  await page.keyboard.type(account.admin.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  await dialog.getByText('Informe um telefone válido').waitFor();
  await dialog.getByLabel('Telefone').fill('');
  await page.keyboard.press('Enter');
  await dialog.getByText('Este e-mail já está em uso.').waitFor();
  await dialog.getByLabel('E-mail').fill('zelia@empresa.test');
  await page.keyboard.press('Enter');
  await dialog.getByText('Convite enviado para zelia@empresa.test.').waitFor();
  await dialog.getByRole('button', { name: 'Fechar' }).last().click();
  await page.getByRole('listitem').filter({ hasText: 'Zélia Prado' }).getByText('válido até').waitFor();
  expect(faults).toEqual([]);
  await close();

  const { pathname, search } = await linkTo(testConsole.platform, 'zelia@empresa.test', 'invitation');
  const theirs = await testConsole.view();
  await theirs.page.goto(`${pathname}${search}`);
  await theirs.page.getByLabel('Senha', { exact: true }).fill('correct horse battery');
  expect(await theirs.page.getByLabel('Seu nome').inputValue()).toBe('Zélia Prado');
  await theirs.page.getByRole('button', { name: 'Aceitar e entrar' }).click();
  await theirs.page.getByRole('button', { name: 'Você: Zélia Prado' }).waitFor();
  expect(theirs.faults).toEqual([]);
  await theirs.page.goto(`${pathname}${search}`);
  await theirs.page.getByText('Este convite expirou, foi revogado ou já foi usado.').waitFor();
  await theirs.close();
});

test('INVITE-04 INVITE-05 an ADMIN sends an invitation again and revokes it', async () => {
  const own = await createAccount(testConsole.platform);
  const email = 'convidada@empresa.test';
  await own.admin.client.post('/users/invitations', { email, role: 'USER' });
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/people');
  await page.getByRole('button', { name: `Reenviar o convite para ${email}` }).click();
  await page.getByText(`Convite reenviado para ${email}.`).waitFor();
  expect(await mailsTo(testConsole.platform, email)).toHaveLength(2);
  await page.getByRole('button', { name: `Revogar o convite para ${email}` }).click();
  await page.getByRole('button', { name: 'Revogar convite' }).click();
  await page.getByText('Convites em aberto').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await close();
});

test('PERM-01 PERM-02 an ADMIN sets the permissions of a user, which the console of the user follows', async () => {
  const own = await createAccount(testConsole.platform);
  const user = await own.addUser('USER');
  const { page, faults, close } = await testConsole.viewAs(own.admin, `/people?person=${user.uuid}`);
  await page.getByRole('button', { name: 'Permissões' }).click();
  const dialog = page.getByRole('dialog', { name: /^Permissões de / });
  await dialog.getByText('as configurações da conta').waitFor();
  expect(await dialog.getByLabel('Supervisão').isDisabled()).toBe(true);
  await dialog.getByLabel('Chamadas', { exact: true }).selectOption('all');
  await dialog.getByLabel('Gravações').selectOption('none');
  await dialog.getByLabel('Supervisão').check();
  await dialog.getByLabel('Saldo').check();
  await dialog.getByLabel('Integrações').uncheck();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await own.admin.client.get(`/users/${user.uuid}/permissions`)).body).toEqual({
    calls: 'all',
    recordings: 'none',
    money: true,
    webhooks: false,
    supervision: true,
    isDecided: true,
  });
  expect(faults).toEqual([]);
  await close();
  const theirs = await testConsole.viewAs(user, '/credit');
  const navigation = theirs.page.getByRole('navigation').first();
  await navigation.getByRole('link', { name: 'Saldo' }).waitFor();
  expect(await navigation.getByRole('link', { name: 'Integrações' }).count()).toBe(0);
  await theirs.page.goto('/integrations');
  await theirs.page.getByText('Suas permissões não incluem integrações.').waitFor();
  expect(theirs.faults).toEqual([]);
  await theirs.close();
});

test('USER-16 roles are changed and users removed, except the last ADMIN', async () => {
  const own = await createAccount(testConsole.platform);
  const user = await own.addUser('USER');
  const { page, faults, close } = await testConsole.viewAs(own.admin, `/people?person=${user.uuid}`);
  await page.getByText('Usuários ligam pelos próprios ramais').waitFor();
  await page.getByRole('button', { name: 'Editar' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Função').selectOption('ADMIN');
  await form.getByLabel('Nome').fill('Outra Pessoa');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('row', { name: /Outra Pessoa.*Administrador/ }).waitFor();
  await page.getByRole('button', { name: 'Remover pessoa' }).click();
  const question = page.getByRole('dialog', { name: 'Remover Outra Pessoa?' });
  await question.getByRole('button', { name: 'Remover pessoa' }).click();
  await page.getByRole('row', { name: /Outra Pessoa/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /você/ }).getByRole('link').click();
  expect(await page.getByRole('button', { name: 'Remover pessoa' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Editar' }).click();
  await form.getByText('Este usuário é você.').waitFor();
  await form.getByLabel('Função').selectOption('USER');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('A conta precisa de pelo menos um administrador.').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('users are filtered by name and role, in the URL', async () => {
  const own = await createAccount(testConsole.platform);
  await own.addUser('USER');
  const { page, close } = await testConsole.viewAs(own.admin, '/people');
  const names = async () => (await page.getByRole('row').getByRole('link').allTextContents()).length;
  await page.getByRole('row', { name: /você/ }).waitFor();
  expect(await names()).toBe(2);
  await page.getByLabel('Função').selectOption('USER');
  await expect.poll(names).toBe(1);
  await page.waitForURL(/role=USER/);
  await page.getByRole('searchbox').fill('sem correspondência');
  await page.getByText('Nenhuma pessoa corresponde aos filtros.').waitFor();
  await page.getByRole('button', { name: 'Mostrar tudo' }).click();
  await expect.poll(names).toBe(2);
  await close();
});

test('TOKEN-07 TOKEN-10 a new token is shown once, works, and can be revoked', async () => {
  const user = await account.addUser('USER');
  await testConsole.platform.database.query(
    'delete from access_tokens where user_id = (select id from users where uuid = $1)',
    [user.uuid],
  );
  const { page, requests, faults, close } = await testConsole.viewAs(user, '/people');
  await page.getByText('Nenhum token de acesso ainda.').waitFor();
  // Data of other users is neither requested nor shown.
  expect(requests).not.toContain('GET /users');
  expect(await page.getByRole('button', { name: 'Convidar pessoa' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Criar token' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('CRM');
  await page.keyboard.press('Enter');
  await page.getByText('Ele não será mostrado novamente').waitFor();
  const [token = '', curl] = await page.getByRole('dialog').locator('pre').allTextContents();
  expect(curl).toContain(`Bearer ${token}`);
  await page.getByRole('button', { name: 'Já guardei' }).click();
  expect(await page.content()).not.toContain(token);
  const line = page.getByRole('listitem').filter({ hasText: 'CRM' });
  await line.getByText('nunca usado').waitFor();
  const client = testConsole.platform.client(token);
  expect((await client.get('/users/me')).status).toBe(200);
  await line.getByRole('button', { name: `Revogar CRM ${token.slice(0, 8)}` }).click();
  await page.getByText('O programa que usa este token perde o acesso imediatamente').waitFor();
  await page.keyboard.press('Escape');
  expect((await client.get('/users/me')).status).toBe(200);
  await line.getByRole('button').click();
  await page.getByRole('button', { name: 'Revogar agora' }).click();
  await page.getByText('Nenhum token de acesso ainda.').waitFor();
  expect((await client.get('/users/me')).status).toBe(401);
  expect(faults).toEqual([]);
  await close();
});

test('TOKEN-27 a user finds the tokens in the navigation and with the palette', async () => {
  const user = await account.addUser('USER');
  const limits = { name: 'Painel', ttl: 3600, scopes: ['calls:read'], allowedAddresses: ['203.0.113.7'] };
  const { body: token } = await user.client.post('/users/accessTokens', limits);
  const { page, faults, close } = await testConsole.viewAs(user, '/');
  await page.getByRole('navigation').getByRole('link', { name: 'Pessoas e tokens' }).click();
  await page.getByRole('heading', { name: 'Pessoas e tokens', level: 1 }).waitFor();
  const line = page.getByRole('listitem').filter({ hasText: 'Painel' });
  const texts = [
    'Ler chamadas',
    'somente de 203.0.113.7',
    'nunca usado',
    'expira',
    `${token.id.slice(0, 8)}…`,
  ];
  for (const text of texts) await line.getByText(text).waitFor();
  expect(token.id).toMatch(/^dsk_/);

  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('token');
  const options = dialog.getByRole('option');
  await expect
    .poll(() => options.allTextContents())
    .toEqual(['Pessoas e tokensTela', 'Criar token de acessoAção']);
  await options.last().click();
  await page.getByRole('dialog', { name: 'Novo token' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('TOKEN-16 TOKEN-18 TOKEN-20 TOKEN-21 an ADMIN limits a token and creates a service token', async () => {
  const own = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/people');
  const dialog = page.getByRole('dialog', { name: 'Novo token' });
  await page.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByLabel('Nome do token').fill('Relatórios');
  await dialog.getByLabel('Ler chamadas').check();
  await dialog.getByLabel('Endereços permitidos').fill('203.0.113.7, nada');
  await dialog.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByText('Informe até 20 endereços IP').waitFor();
  await dialog.getByLabel('Endereços permitidos').fill('203.0.113.7, 2001:db8::/32');
  await dialog.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByText('Ele não será mostrado novamente').waitFor();
  const [token = ''] = await dialog.locator('pre').allTextContents();
  await dialog.getByRole('button', { name: 'Já guardei' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'Relatórios' });
  await line.getByText('Ler chamadas').waitFor();
  await line.getByText('somente de 203.0.113.7, 2001:db8::/32').waitFor();
  const limited = testConsole.platform.client(token).from('203.0.113.7');
  expect((await limited.get('/calls', { query: { page: '1' } })).status).toBe(200);
  expect((await limited.get('/accounts')).body.error.errorCode).toBe('TOKEN_SCOPE_MISSING');

  await page.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByLabel('Nome do token').fill('Faturas');
  await dialog.getByLabel('Token de serviço da conta').check();
  await dialog.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByText('Escolha pelo menos um uso').waitFor();
  await dialog.getByLabel('Saldo e cobranças').check();
  await dialog.getByRole('button', { name: 'Criar token' }).click();
  await dialog.getByText('Ele não será mostrado novamente').waitFor();
  const [service = ''] = await dialog.locator('pre').allTextContents();
  await dialog.getByRole('button', { name: 'Já guardei' }).click();
  const robot = testConsole.platform.client(service);
  expect((await robot.get('/accounts/balance')).status).toBe(200);
  const listed = page.getByRole('list', { name: 'Tokens de serviço da conta' });
  await listed.getByText(`criado por ${own.admin.email}`).waitFor();
  await listed.getByRole('button', { name: /Revogar Faturas/ }).click();
  await page.getByRole('button', { name: 'Revogar agora' }).click();
  await listed.waitFor({ state: 'detached' });
  expect((await robot.get('/accounts/balance')).status).toBe(401);
  expect(faults).toEqual([]);
  await close();
});
