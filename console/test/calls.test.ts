import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LegQuality } from '../../server/src/contexts/calls/lifecycle/quality.rules.ts';
import { indexCalls } from '../../server/src/contexts/calls/search/index-calls.ts';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { insertEvent, numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { chooseCsv } from './harness/choose-csv.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { plainCall } from './harness/demo-calls.ts';

const callCount = 450;

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  const nowMs = testConsole.platform.clock.now().getTime();
  const calls = Array.from({ length: callCount }, (_, n) => plainCall(n, nowMs));
  await insertCalls(testConsole.platform.database, account, calls);
});
afterAll(() => testConsole?.close());

const rows = (page: Page) => page.locator('tbody tr');
const counted = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

test('the list opens with four requests and loads further pages on scroll', async () => {
  const { page, faults, requests, close } = await testConsole.viewAs(account.admin, '/calls');
  await counted(page, `${callCount} chamadas`);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  expect(await rows(page).count()).toBeLessThan(60);
  const last = page.locator(`tr[aria-rowindex="${callCount + 1}"]`);
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return await last.count();
    })
    .toBe(1);
  expect(requests.filter((path) => path === 'GET /calls/search')).toHaveLength(3);
  expect(faults).toEqual([]);
  await close();
});

test('filters are in the URL: they survive a reload and can be shared', async () => {
  const view = await testConsole.viewAs(account.admin, '/calls?extension=1001');
  const { page } = view;
  await page.getByText('Ramal = 1001').waitFor();
  await page.getByRole('button', { name: 'Filtrar', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Campo').selectOption('hangup_cause');
  await form.getByLabel('Ocupado').check();
  await form.getByLabel('Não atendida').check();
  await form.getByRole('button', { name: 'Aplicar' }).click();
  await page.waitForURL(/\?extension=1001&hangup_cause=NO_ANSWER%2CUSER_BUSY|USER_BUSY%2CNO_ANSWER/);
  const { body } = await account.admin.client.list(
    '/calls',
    {
      where: { extension: '1001', hangup_cause: { inq: ['USER_BUSY', 'NO_ANSWER'] } },
    },
    { page: '1' },
  );
  const expected = `${body.meta.totalItemCount} chamadas`;
  await counted(page, expected);
  await page.reload();
  await counted(page, expected);
  const colleague = await account.addUser('USER');
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const other = await testConsole.viewAs(
    colleague,
    new URL(page.url()).pathname + new URL(page.url()).search,
  );
  await counted(other.page, expected);
  await other.page.getByRole('button', { name: /^Remover o filtro Motivo do encerramento/ }).click();
  await counted(other.page, '150 chamadas');
  await other.close();
  await view.close();
});

test('chips filter by outcome, in the words of the status column, and count the calls of a period', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/calls?period=7d');
  const chips = page.getByRole('group', { name: 'Filtrar por resultado' });
  const since = new Date(Date.now() - 8 * 86_400_000).toISOString();
  const count = async (where: object): Promise<number> =>
    (await account.admin.client.list('/calls', { where }, { page: '1' })).body.meta.totalItemCount;
  const busy = { status: 'ended', hangup_cause: 'USER_BUSY', answered_at: { exists: false } };
  const shownCount = async (name: string): Promise<number> =>
    Number((await chips.locator('label', { hasText: name }).locator('span').textContent()) ?? '');
  await expect.poll(() => shownCount('Ocupadas')).toBeGreaterThan(0);
  const busyCount = await shownCount('Ocupadas');
  expect(busyCount).toBeLessThanOrEqual(await count({ ...busy, started_at: { gte: since } }));
  await chips.getByText('Ocupadas').click();
  await page.waitForURL(/outcome=busy/);
  await counted(page, `${busyCount} chamadas`);
  const texts = await rows(page).locator('[data-kind]').allTextContents();
  expect(new Set(texts)).toEqual(new Set(['Ocupado']));
  await chips.getByText('Atendidas', { exact: false }).first().click();
  await page.waitForURL(/outcome=answered/);
  await expect
    .poll(async () => new Set(await rows(page).locator('[data-kind]').allTextContents()))
    .toEqual(new Set(['Atendida']));
  await chips.getByText('Todas').click();
  await page.waitForURL((url) => !url.search.includes('outcome'));
  expect(faults).toEqual([]);
  await close();
});

test('SEARCH-06 the search box finds calls by their words, in the list and in the export', async () => {
  const { platform } = testConsole;
  const startedAt = new Date(platform.clock.now().getTime() - 7_200_000);
  await insertCalls(
    platform.database,
    account,
    ['Conceição', 'Concepción', 'Outra'].map((lastName, n) => ({
      startedAt: new Date(startedAt.getTime() + n),
      firstName: 'Íris',
      lastName,
      metadata: { deal: `busca-${n}` },
    })),
  );
  await indexCalls(platform.api.base, AbortSignal.timeout(120_000));
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  const { page } = view;
  // Tests cannot operate the file picker; without it the browser downloads the file.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto('/calls');
  const box = page.getByRole('textbox', { name: 'Buscar chamadas' });
  const find = async (text: string) => {
    await box.fill(text);
    await page.keyboard.press('Enter');
  };
  await find('iris CONCE');
  await counted(page, '2 chamadas');
  expect(new URL(page.url()).searchParams.get('q')).toBe('iris CONCE');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseCsv(page, 'Exportar CSV', 'CSV padrão'),
  ]);
  const file = readFileSync(await download.path(), 'utf8');
  expect(file.trim().split('\r\n')).toHaveLength(3);
  await page.reload();
  await counted(page, '2 chamadas');
  expect(await box.inputValue()).toBe('iris CONCE');
  await find('busca-1 concepcion');
  await counted(page, '1 chamada');
  await find('ninguém');
  await page.getByText('Nenhuma chamada corresponde').waitFor();
  await page.getByRole('button', { name: 'Limpar busca' }).click();
  await page.waitForURL((url) => url.search === '');
  expect(await box.inputValue()).toBe('');
  expect(view.faults).toEqual([]);
  await view.close();
});

const addresses: [string, object][] = [
  ['phone=ends~4321', { to: { like: '%4321' } }],
  ['duration=between~60~120', { duration: { between: [60, 120] } }],
  ['call_price=least~0.3', { call_price: { gte: 0.3 } }],
  ['first_name=contains~bru', { first_name: { ilike: '%bru%' } }],
  ['metadata.deal=D-1003', { 'metadata.deal': 'D-1003' }],
  ['status=ended&ended_by=extension', { status: 'ended', ended_by: 'extension' }],
  ['answered_at=missing~', { answered_at: { exists: false } }],
  ['recording=missing~', { record_url: { exists: false } }],
  ['BINA=551133334444&call_type=outbound', { BINA: '551133334444', call_type: 'outbound' }],
  ['email=ana@empresa.test&minute_price=most~1', { email: 'ana@empresa.test', minute_price: { lte: 1 } }],
];

test('every filter type returns the same calls as the API', async () => {
  const view = await testConsole.viewAs(account.admin, '/calls');
  for (const [address, where] of addresses) {
    const { body } = await account.admin.client.list('/calls', { where }, { page: '1' });
    await view.page.goto(`/calls?${address}`);
    const count = body.meta.totalItemCount as number;
    expect(count, address).toBeGreaterThan(0);
    await counted(view.page, count === 1 ? '1 chamada' : `${count} chamadas`);
  }
  expect(view.faults).toEqual([]);
  await view.close();
});

test('days are in the time zone of the account, not of the browser', async () => {
  const view = await testConsole.viewAs(account.admin, '/calls?since=2020-01-05&until=2020-01-05');
  const at = (text: string) => ({ startedAt: new Date(text) });
  await testConsole.platform.database.query(`select make_call_months('2020-01-01', '2020-01-01')`);
  await insertCalls(testConsole.platform.database, account, [
    at('2020-01-05T02:59:59Z'),
    at('2020-01-05T03:00:00Z'),
    at('2020-01-06T02:59:59Z'),
    at('2020-01-06T03:00:00Z'),
  ]);
  await view.page.reload();
  await counted(view.page, '2 chamadas');
  await view.close();
});

test('a call opens next to the list with six requests; the list keeps its position', async () => {
  const view = await testConsole.viewAs(account.admin, '/calls');
  const { page } = view;
  await rows(page).nth(4).getByRole('link').click();
  await page.waitForURL(/\?call=/);
  const details = page.getByRole('region', { name: 'Chamada', exact: true });
  await details.getByRole('heading', { name: 'Linha do tempo' }).waitFor();
  expect(await rows(page).count()).toBeGreaterThan(5);
  view.requests.length = 0;
  await page.reload();
  await details.getByRole('heading', { name: 'Linha do tempo' }).waitFor();
  await view.following();
  expect(view.requests.length, view.requests.join('\n')).toBeLessThanOrEqual(6);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.search.includes('call='));
  await view.close();
});

test('the list can be navigated by keyboard', async () => {
  const view = await testConsole.viewAs(account.admin, '/calls');
  const { page } = view;
  await rows(page).first().getByRole('link').focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-line'))).toBe('3');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Chamada', exact: true }).waitFor();
  await view.close();
});

test('a new call appears at the top and its row is updated until it ends', async () => {
  const { platform } = testConsole;
  const view = await testConsole.viewAs(account.admin, '/calls');
  const { page } = view;
  await rows(page).first().waitFor();
  // Only an open stream reports the call.
  await view.following();
  const at = platform.clock.now();
  const [id = ''] = await insertCalls(platform.database, account, [
    { startedAt: at, status: 'ringing', to: '5521912345678' },
  ]);
  await insertEvent(platform, account, id, 'channel-create', 1, at);
  await numberEvents(platform);
  const row = rows(page).filter({ hasText: '+55 21 91234-5678' });
  await row.getByText('tocando').waitFor();
  await platform.database.query(
    `update calls set status = 'ended', answered_at = started_at, ended_at = started_at + interval '33 seconds',
        duration = 33, billed_duration = 33, hangup_cause = 'NORMAL_CLEARING', ended_by = 'destination' where id = $1`,
    [id],
  );
  await insertEvent(platform, account, id, 'channel-hangup', 2, at);
  await numberEvents(platform);
  await row.getByText('Atendida').waitFor();
  expect(await row.textContent()).toContain('33 s');
  await view.close();
});

test('bug: the first call of an empty list appears without a click', async () => {
  const { platform } = testConsole;
  const other = await createAccount(platform);
  const { page, faults, following, close } = await testConsole.viewAs(other.admin, '/calls');
  await page.getByRole('link', { name: 'Configurar um telefone' }).waitFor();
  await following();
  const at = platform.clock.now();
  const [id = ''] = await insertCalls(platform.database, other, [
    { startedAt: at, status: 'ringing', to: '5521912345679' },
  ]);
  await insertEvent(platform, other, id, 'channel-create', 1, at);
  await numberEvents(platform);
  await rows(page).filter({ hasText: '+55 21 91234-5679' }).getByText('tocando').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the export streams exactly the listed calls', async () => {
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  const { page } = view;
  // Tests cannot operate the file picker; without it the browser downloads the file.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto('/calls?extension=1002');
  await counted(page, '150 chamadas');
  const downloading = page.waitForEvent('download');
  await chooseCsv(page, 'Exportar CSV', 'CSV padrão');
  const file = readFileSync(await (await downloading).path(), 'utf8');
  const [head, ...lines] = file.trimEnd().split('\r\n');
  expect(head).toMatch(/^id,domain/);
  expect(lines).toHaveLength(150);
  expect(lines.every((line) => line.includes(',1002,'))).toBe(true);
  await view.close();
});

const measuredLeg: LegQuality = {
  verdict: 'good',
  issue: null,
  mos: 4.4,
  received_packets: 2_000,
  sent_packets: 0,
  received_loss_percent: 0,
  sent_loss_percent: null,
  received_jitter_ms: 3,
  sent_jitter_ms: null,
  round_trip_ms: null,
  codec: 'alaw',
};
const silentLeg: LegQuality = { ...measuredLeg, verdict: 'no_audio', mos: null, received_packets: 0 };
const lossyLeg: LegQuality = {
  ...measuredLeg,
  verdict: 'fair',
  issue: 'loss',
  mos: 3.9,
  received_loss_percent: 4.8,
  sent_loss_percent: 0.1,
  sent_jitter_ms: 12,
  round_trip_ms: 34,
};

test('QUALITY-07 the details show the quality of a call and its legs, and the list filters by it', async () => {
  const { platform } = testConsole;
  const other = await createAccount(platform);
  const startedAt = platform.clock.now();
  const [loss = '', silence = ''] = await insertCalls(platform.database, other, [
    {
      startedAt,
      to: '5521912345001',
      quality: { verdict: 'fair', legs: { extension: lossyLeg, destination: measuredLeg } },
    },
    {
      startedAt,
      to: '5521912345002',
      quality: { verdict: 'one_way', legs: { extension: measuredLeg, destination: silentLeg } },
    },
    { startedAt, to: '5521912345003' },
  ]);
  const { page, faults, close } = await testConsole.viewAs(other.admin, '/calls?quality=one_way');
  await page.getByText('Qualidade do áudio = Áudio em um só sentido').waitFor();
  await rows(page).filter({ hasText: '+55 21 91234-5002' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Filtrar', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Campo').selectOption('quality');
  await form.getByLabel('Regular').check();
  await form.getByRole('button', { name: 'Aplicar' }).click();
  await page.waitForURL(/quality=(one_way%2Cfair|fair)/);
  await page.goto(`/calls/${silence}`);
  const panel = page.getByRole('region', { name: 'Qualidade do áudio', exact: true });
  await panel.getByText('Áudio em um só sentido', { exact: true }).waitFor();
  await panel.getByText(/Nenhum áudio chegou deste lado: Destino/).waitFor();
  await page.goto(`/calls/${loss}`);
  await panel.getByText('Regular', { exact: true }).waitFor();
  const texts = await panel
    .getByRole('region', { name: 'Ramal', exact: true })
    .locator('dd')
    .allTextContents();
  expect(texts).toEqual([
    'Regular, por perda de pacotes',
    '3,9',
    '4,8%',
    '0,1%',
    '3 ms / 12 ms',
    '34 ms',
    'alaw',
  ]);
  const calledTexts = panel.getByRole('region', { name: 'Destino', exact: true }).locator('dd');
  expect(await calledTexts.allTextContents()).toEqual([
    'Boa',
    '4,4',
    '0%',
    'sem dados',
    '3 ms / sem dados',
    'sem dados',
    'alaw',
  ]);
  expect(faults).toEqual([]);
  await close();
});

test('NOTE-12 the filter of dispositions offers those of the account and the one of the URL', async () => {
  const { client } = account.admin;
  await client.request('PUT', '/dispositions', { body: { names: ['Venda', 'Retornar'] } });
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/calls?disposition=Antiga');
  await page.getByText('Classificação = Antiga').waitFor();
  await page.getByRole('button', { name: 'Filtrar', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Campo').selectOption('disposition');
  const value = form.getByLabel('Valor');
  await expect
    .poll(() => value.locator('option').allTextContents())
    .toEqual(['Escolha…', 'Venda', 'Retornar', 'Antiga']);
  await value.selectOption('Venda');
  await form.getByRole('button', { name: 'Aplicar' }).click();
  await page.waitForURL(/disposition=Venda/);
  await page.getByText('Classificação = Venda').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('bug: a long disposition does not shorten the status of a call', async () => {
  const { platform } = testConsole;
  const own = await createAccount(platform);
  const [id] = await insertCalls(platform.database, own, [plainCall(3, platform.clock.now().getTime())]);
  const disposition = 'Não é o responsável pela decisão de compra';
  await own.admin.client.request('PUT', '/dispositions', { body: { names: [disposition] } });
  const body = { disposition, note: null, tags: ['orçamento'] };
  await own.admin.client.request('PUT', `/calls/${id}/note`, { body });
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/calls');
  const isCut = (text: string) =>
    rows(page)
      .getByText(text, { exact: true })
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().width > element.getBoundingClientRect().width;
      });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => isCut('Atendida')).toBe(false);
  }
  expect(await isCut(disposition)).toBe(true);
  expect(faults).toEqual([]);
  await close();
});
