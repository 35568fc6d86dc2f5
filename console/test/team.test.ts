import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { insertEvent, numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { extensionBody, markRegistered } from '../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;
let user: Person;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  user = await account.addUser();
});
afterAll(() => testConsole?.close());

const set = (body: object, person = user) => person.client.request('PUT', '/users/me/availability', { body });

test('PRESENCE-11 a user sets their availability by keyboard, and reasons are offered again', async () => {
  const { page, faults, following, close } = await testConsole.viewAs(user, '/calls');
  await following();
  const menu = page.getByRole('button', { name: /^Sua disponibilidade/ });
  expect(await menu.textContent()).toContain('Disponível');
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Ausente com motivo…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Ausente' }).waitFor();
  await page.keyboard.type('Almoço');
  await page.keyboard.press('Enter');
  await menu.filter({ hasText: 'Ausente: Almoço' }).waitFor();
  expect((await user.client.get('/users/me/context')).body.availability).toMatchObject({
    status: 'away',
    reason: 'Almoço',
  });
  // From another device.
  await set({ status: 'do_not_disturb' });
  await menu.filter({ hasText: 'Não perturbe' }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Ausente: Almoço' }).click();
  await menu.filter({ hasText: 'Ausente: Almoço' }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Disponível' }).click();
  await menu.filter({ hasText: 'Disponível' }).waitFor();
  expect(faults).toEqual([]);
  // Without supervision there is no page of the team.
  expect(await page.getByRole('link', { name: 'Equipe' }).count()).toBe(0);
  await close();
});

test('PRESENCE-12 PRESENCE-13 the team and its wallboard follow availability and calls', async () => {
  const { platform } = testConsole;
  await platform.database.query('update users set email_verified = true where uuid = $1', [user.uuid]);
  const { body } = await account.admin.client.post(
    '/extensions',
    extensionBody({ email_address: user.email }),
  );
  await markRegistered(platform, body.id);
  const { page, requests, faults, settled, following, close } = await testConsole.viewAs(
    account.admin,
    '/team',
  );
  const { name } = (await user.client.get('/users/me')).body;
  const row = page.getByRole('row', { name: new RegExp(name) });
  await row.filter({ hasText: 'Disponível' }).waitFor();
  await settled();
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  await following();
  const reads = () => requests.filter((each) => each === 'GET /availability').length;
  const before = reads();
  await set({ status: 'away', reason: 'Reunião' });
  await row.filter({ hasText: /Ausente.*Reunião.*desde \d\d:\d\d/ }).waitFor();
  expect(reads()).toBe(before);

  const at = platform.clock.now();
  const [callId = ''] = await insertCalls(platform.database, account, [
    { startedAt: at, status: 'answered' },
  ]);
  const order = { ramal: body.ramal, domain: account.domain, destination: '5511988887777', callerId: null };
  await platform.database.query(
    `insert into live_calls
       (call_id, account_id, book, kind, state, requested_at, answered_at, order_data, funded_seconds)
     values ($1, $2, 'test', 'click', 'answered', $3, $3, $4, 60)`,
    [callId, account.id, at, JSON.stringify(order)],
  );
  await insertEvent(platform, account, callId, 'channel-answer', 1, at);
  await numberEvents(platform);
  await row.filter({ hasText: /Em chamada.*Para \+55 11 98888-7777/ }).waitFor();
  await page.getByRole('button', { name: 'Painel para TV' }).click();
  const wall = page.getByRole('dialog', { name: 'Painel para TV' });
  await wall.getByRole('listitem').filter({ hasText: name }).filter({ hasText: '98888-7777' }).waitFor();
  // The only control is the one that closes it.
  expect(await wall.getByRole('button').allTextContents()).toEqual(['Fechar']);
  await page.keyboard.press('Escape');
  await wall.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Painel para TV' }).click();
  await wall.getByRole('button', { name: 'Fechar' }).click();
  await wall.waitFor({ state: 'detached' });
  await platform.database.query('delete from live_calls where call_id = $1', [callId]);
  expect(faults).toEqual([]);
  await close();
});
