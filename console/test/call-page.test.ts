import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './harness/console.ts';
import { createDemoAccount, type DemoAccount } from './harness/demo-account.ts';

let testConsole: TestConsole;
let demo: DemoAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  demo = await createDemoAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

test('CALL-89 the timeline shows all steps from request to webhooks, with gaps', async () => {
  const view = await testConsole.viewAs(demo.admin, `/calls/${demo.callId}`);
  const { page } = view;
  const timeline = page.getByRole('region', { name: 'Linha do tempo' });
  await timeline.getByText('entregue a crm').first().waitFor();
  // The ledger is loaded by a separate request.
  await timeline.getByText('cobrados').first().waitFor();
  const text = (await timeline.textContent()) ?? '';
  const order = [
    'solicitou uma chamada para +55\u00a011\u00a098765-\u20604321',
    'reservados para iniciar a chamada',
    'tocando',
    'discando para',
    'Destino atendeu',
    '“Chamada atendida” entregue a crm: o servidor respondeu 204',
    'Mais R$\u00a00,0450 reservados',
    'Encerrada: Encerramento normal',
    'cobrados',
    '“Chamada encerrada” entregue a crm',
  ];
  const positions = order.map((step) => text.indexOf(step));
  expect(positions, text).toEqual([...positions].sort((a, b) => a - b));
  expect(positions, text).not.toContain(-1);
  await timeline.getByText('12 s', { exact: true }).waitFor();
  expect(view.requests.length, view.requests.join('\n')).toBeLessThanOrEqual(6);
  expect(view.faults).toEqual([]);
  await view.close();
});

test('the price expands to its ledger entries', async () => {
  const view = await testConsole.viewAs(demo.user, `/calls/${demo.callId}`);
  const price = view.page.getByRole('region', { name: 'Preço' });
  const sentence = '1 min 12 s, cobrados como 72 s a R$ 0,09/min (prefixo 55 11 9) → R$ 0,1080';
  await expect
    .poll(async () => ((await price.textContent()) ?? '').replaceAll('\u00a0', ' '))
    .toContain(sentence);
  await price.getByText('Detalhes do preço').click();
  const lines = price.getByRole('table', { name: 'Lançamentos' }).getByRole('row');
  const { body } = await demo.user.client.get(`/calls/${demo.callId}/price`);
  await expect.poll(() => lines.count()).toBe(body.entries.length + 1);
  await view.close();
});

test('PERM-09 the recording is fetched on demand, aligned with the time axis, and lists who listened', async () => {
  const view = await testConsole.viewAs(demo.admin, `/calls/${demo.callId}`);
  const { page } = view;
  const fetched = () => view.requests.filter((path) => path.startsWith('GET /recordings/')).length;
  await page.getByRole('button', { name: 'Ouvir gravação' }).waitFor();
  expect(fetched()).toBe(0);
  await page.getByRole('button', { name: 'Ouvir gravação' }).click();
  const wave = page.getByRole('slider', { name: 'Posição da reprodução' });
  await expect.poll(() => wave.getAttribute('aria-valuemax')).toBe('72');
  await expect.poll(async () => Number(await wave.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  expect(fetched()).toBe(1);
  const [talk, drawn] = await Promise.all([
    page.locator('[data-phase=talk]').first().boundingBox(),
    wave.boundingBox(),
  ]);
  expect(drawn?.x).toBeCloseTo(talk?.x ?? 0, 0);
  expect(drawn?.width).toBeCloseTo(talk?.width ?? 0, 0);
  await page.getByText('2×').click();
  await wave.focus();
  await page.keyboard.press('ArrowRight');
  const audio = page.locator('audio');
  await expect.poll(() => audio.evaluate((each: HTMLAudioElement) => each.playbackRate)).toBe(2);
  await page.getByRole('button', { name: 'Pausar' }).click();
  const link = page.getByRole('link', { name: 'Baixar' });
  expect(await link.getAttribute('download')).toBe(`${demo.callId}.wav`);
  await page.getByText('Acessos à gravação').click();
  const { name } = (await demo.admin.client.get('/users/me')).body;
  await page.getByRole('listitem').filter({ hasText: '127.0.0.1' }).getByText(name).first().waitFor();
  expect(view.faults).toEqual([]);
  await view.close();
});

test('shows every webhook attempt and when the next one is due', async () => {
  const view = await testConsole.viewAs(demo.admin, `/calls/${demo.callId}`);
  const receiver = view.page.getByRole('region', { name: 'crm' });
  await receiver.getByText('o servidor respondeu 503').first().waitFor();
  await expect.poll(() => receiver.getByText('o servidor respondeu 204').count()).toBe(2);
  const old = view.page.getByRole('region', { name: 'erp-antigo' });
  await expect.poll(() => old.getByText('Próxima tentativa:').count()).toBe(2);
  await view.close();
});

test('hanging up an active call requires confirmation', async () => {
  const view = await testConsole.viewAs(demo.admin, `/calls/${demo.runningId}`);
  const { page } = view;
  await page.getByRole('button', { name: 'Desligar', exact: true }).click();
  expect(view.requests.filter((path) => path.startsWith('POST'))).toEqual([]);
  await page.getByRole('button', { name: 'Desligar agora' }).click();
  await expect
    .poll(() => view.requests.filter((path) => path.startsWith('POST')))
    .toEqual([`POST /calls/${demo.runningId}/hangup`]);
  await expect
    .poll(async () => {
      const [row] = await testConsole.platform.database.query<{ is_requested: boolean }>(
        'select hangup_asked_at is not null as is_requested from live_calls where call_id = $1',
        [demo.runningId],
      );
      return row?.is_requested ?? true;
    })
    .toBe(true);
  await view.close();
});

test('an unknown call shows an error and a link to the list', async () => {
  const view = await testConsole.viewAs(demo.admin, '/calls/019a8f00-0000-7000-8000-000000000000');
  await view.page.getByText('Não encontrado nesta conta').waitFor();
  await view.page.getByRole('link', { name: 'Todas as chamadas' }).waitFor();
  await view.close();
});
