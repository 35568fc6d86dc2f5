import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveCredit } from '../../server/test/harness/fixtures/billing.ts';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { createAccount } from '../../server/test/harness/people.ts';
import { ensureExtension } from '../../server/test/harness/webhooks/calls.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { createDemoAccount, type DemoAccount } from './harness/demo-account.ts';
import { finishCall, placeCall } from './harness/demo-calls.ts';

let testConsole: TestConsole;
let demo: DemoAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  demo = await createDemoAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

test('shows the values of the API after at most six requests', async () => {
  const { page, faults, requests, close } = await testConsole.viewAs(demo.admin, '/');
  const { body } = await demo.admin.client.get('/calls/summary');
  const tile = (label: string) => page.locator('dl > div', { has: page.getByText(label, { exact: true }) });
  const value = (label: string) => tile(label).locator('dd').first().textContent();
  await expect.poll(() => value('Chamadas')).toBe(String(body.totals.calls));
  const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 });
  const share: number | null = body.totals.answeredShare;
  // Just after midnight none of today's calls has ended yet.
  expect(await value('Atendidas')).toBe(share === null ? '—' : percent.format(share));
  expect(await tile('Ao vivo').textContent()).toMatch(/^Ao vivo21 tocando, 1 em conversa/);
  expect(await tile('Saldo disponível').textContent()).toMatch(
    /R\$\s9\.999,\d\d≈ 111\.\d{3} min para celular/,
  );
  await page.getByText('Falhando desde').waitFor();
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  expect(faults).toEqual([]);
  await close();
});

test('non-ADMINs see no credit', async () => {
  const { page, close } = await testConsole.viewAs(demo.user, '/');
  await page.getByText('Ao vivo').waitFor();
  expect(await page.locator('dl').getByText('Saldo disponível').count()).toBe(0);
  await close();
});

test('charts have a data table, and the period is in the URL', async () => {
  const { page, close } = await testConsole.viewAs(demo.admin, '/');
  await page.getByText('30 dias', { exact: true }).click();
  await page.waitForURL('**/?period=month');
  await page.reload();
  await page.getByRole('heading', { name: 'Últimos 30 dias' }).waitFor();
  await page.locator('summary').last().click();
  const days = page.getByRole('table', { name: 'Últimos 30 dias' });
  await expect.poll(() => days.getByRole('row').count()).toBe(31);
  await close();
});

test('a call that starts and ends updates the numbers without a reload', async () => {
  const { platform, admin, account } = demo;
  const { page, following, close } = await testConsole.viewAs(admin, '/');
  const live = page.locator('dl > div').first();
  await expect.poll(() => live.textContent()).toMatch(/^Ao vivo2/);
  await following();
  const extension = await ensureExtension(platform, account);
  const call = await placeCall(platform, admin, { extension, called: '5511987650000' });
  await numberEvents(platform);
  await expect.poll(() => live.textContent()).toMatch(/^Ao vivo3/);
  await finishCall(platform, call, 30);
  await numberEvents(platform);
  await expect.poll(() => live.textContent()).toMatch(/^Ao vivo2/);
  await close();
});

test('a running call counts as running, and few short calls are no warning', async () => {
  const account = await createAccount(testConsole.platform);
  const startedAt = new Date(testConsole.platform.clock.now().getTime() - 1_000);
  const extension = await ensureExtension(testConsole.platform, account);
  await giveCredit(testConsole.platform, account.id, 10);
  await placeCall(testConsole.platform, account.admin, { extension, called: '5511987650000' });
  await insertCalls(
    testConsole.platform.database,
    account,
    Array.from({ length: 14 }, (_, n) => ({
      startedAt,
      duration: n === 0 ? 60 : 0,
      hangupCause: n === 0 ? 'NORMAL_CLEARING' : 'NO_ANSWER',
    })),
  );
  const { page, close } = await testConsole.viewAs(account.admin, '/?period=month');
  await page
    .getByText(/Não atendidas.*Em andamento/)
    .first()
    .waitFor();
  const row = page.getByRole('table', { name: 'Últimos 30 dias' }).getByRole('row').last();
  await page.locator('summary').last().click();
  expect((await row.getByRole('cell').allTextContents()).slice(-3)).toEqual(['15', '1', '1']);
  await page.getByRole('region', { name: 'Chamadas curtas' }).getByText('92,9%').waitFor();
  await page.getByText('A regra não se aplica a você: foram no máximo 14 chamadas por dia').waitFor();
  expect(await page.locator('[data-over=true]').count()).toBe(0);
  await close();
});

test('a USER without calls sees the own first steps and a curl command', async () => {
  const account = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(await account.addUser(), '/');
  const steps = page.getByRole('region', { name: 'Primeiros passos' });
  await steps.getByText('Peça a um administrador para associar um ramal').waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(4);
  expect(await page.locator('main pre').textContent()).toContain('/api/v1/calls');
  expect(faults).toEqual([]);
  await close();
});

test('SIGNUP-35 an account that waits for approval sees so, in both languages', async () => {
  const { admin, id } = await createAccount(testConsole.platform);
  const waiting = (since: string) =>
    testConsole.platform.database.query(
      `update accounts set awaits_approval_since = ${since} where id = $1`,
      [id],
    );
  await waiting('now()');
  for (const [locale, text] of [
    ['pt-BR', 'ainda precisa aprovar sua conta'],
    ['en', 'still has to approve your account'],
  ] as const) {
    await admin.client.patch('/users', { locale });
    const { page, close } = await testConsole.viewAs(admin, '/');
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    await close();
  }
  await waiting('null');
  const { page, close } = await testConsole.viewAs(admin, '/');
  await page.getByRole('region', { name: 'First steps' }).waitFor();
  expect(await page.getByText('still has to approve your account').count()).toBe(0);
  await close();
});
