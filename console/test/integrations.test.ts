import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCertificate } from '../../server/test/adapters/webhooks/servers.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { runCall } from '../../server/test/harness/webhooks/calls.ts';
import { type Receiver, startReceiver, webhooksAbout } from '../../server/test/harness/webhooks/receiver.ts';
import { addIntegration } from '../../server/test/harness/webhooks/webhook-platform.ts';
import { startWebhookConsole, type WebhookConsole } from './harness/webhooks.ts';

let testConsole: WebhookConsole;
let receiver: Receiver;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startWebhookConsole();
  receiver = await startReceiver();
});
beforeEach(async () => {
  account = await createAccount(testConsole.platform);
  receiver.answer(() => 204);
});
afterAll(async () => {
  await testConsole?.close();
  await receiver?.stop();
});

const part = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const call = async (script = {}): Promise<string> => {
  const { id } = await runCall(testConsole.platform, account, script);
  await testConsole.platform.untilIdle();
  return id;
};

/** Returns a URL on which no server listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hook`;
}

test('the wizard creates and tests a webhook; errors are shown by field', async () => {
  const { page, faults, requests, settled, close } = await testConsole.viewAs(account.admin, '/integrations');
  await page.getByText('Receba cada evento').waitFor();
  await settled();
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  await page.getByRole('link', { name: 'Criar webhook' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Informe um nome.').waitFor();
  await page.getByText('Informe o endereço que recebe os eventos.').waitFor();
  await page.getByLabel('Nome').fill('crm');
  await page.getByLabel('Endereço').fill('http://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('heading', { name: 'Quais eventos você quer receber?' }).waitFor();
  await page.getByRole('button', { name: 'Criar webhook' }).click();
  await page.getByText('Este endereço não é público').waitFor();
  await page.getByRole('button', { name: 'Voltar' }).click();
  await page.getByLabel('Endereço').fill(receiver.url);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('checkbox', { name: /Preço/ }).check();
  await page.getByRole('button', { name: 'Adicionar condição' }).click();
  await page.getByLabel('Chave').fill('deal');
  await page.getByLabel('Valor').fill('D-1');
  await page.getByRole('button', { name: 'Criar webhook' }).click();
  await page.getByRole('heading', { name: 'Verifique nossas requisições' }).waitFor();
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
  for (const language of ['Python', 'PHP', 'Go', 'JavaScript']) {
    await page.getByText(language, { exact: true }).click();
    await page.getByRole('region', { name: language }).waitFor();
  }
  await page.getByRole('button', { name: 'Continuar para o teste' }).click();
  await page.getByRole('button', { name: 'Enviar teste' }).click();
  await page.getByText('Entregue.').waitFor();
  await page.getByText('o servidor respondeu 204').waitFor();
  const sent = receiver.received.at(-1);
  expect(new Webhook(secret).verify(sent?.text ?? '', sent?.headers ?? {})).toMatchObject({
    metadata: { test: true },
  });
  await page.getByRole('link', { name: 'Concluir' }).click();
  await page.getByRole('heading', { level: 2, name: 'crm' }).waitFor();
  const { body } = await account.admin.client.get('/integrations');
  expect(body).toMatchObject([
    {
      gateway: 'crm',
      webhook: true,
      webhookConstraint: { deal: 'D-1' },
      metadata: {
        webhookUrl: receiver.url,
        webhookTypes: ['channel-answer', 'channel-hangup', 'call-priced'],
      },
    },
  ]);
  expect(faults).toEqual([]);
  await close();
});

test('deliveries appear live, are filtered in the URL, and show request and response', async () => {
  const { id } = await addIntegration(account.admin, receiver.url);
  const { page, faults, requests, following, settled, close } = await testConsole.viewAs(
    account.admin,
    `/integrations?integration=${id}`,
  );
  await page.getByText('Nada foi enviado nos últimos 30 dias').waitFor();
  await following();
  await settled();
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  await call({ metadata: { deal: 'D-7' } });
  const hangup = page.getByRole('button', { name: /Entregue Chamada encerrada/ });
  await hangup.waitFor();
  await page.getByRole('region', { name: 'crm' }).getByText('Funcionando').waitFor();
  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('Nenhuma entrega corresponde').waitFor();
  await page.getByLabel('Status').selectOption('delivered');
  await page.getByRole('button', { name: /Entregue Chamada atendida/ }).waitFor();
  await page.getByLabel('Evento').selectOption('channel-hangup');
  await page.waitForURL(/state=delivered&type=channel-hangup/);
  await page.reload();
  await hangup.click();
  expect(await page.getByRole('button', { name: /Entregue Chamada atendida/ }).count()).toBe(0);
  await page.getByText('Tentativa 1').waitFor();
  await page.getByText('Requisição, como seria enviada agora').click();
  expect(await page.getByRole('region', { name: /Requisição/ }).textContent()).toContain('"deal": "D-7"');
  // The open delivery is in the URL as well.
  await page.reload();
  await page.getByText('Tentativa 1').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a failing webhook shows the cause and advice, and is replayed after recovery', async () => {
  const { id } = await addIntegration(account.admin, await deadUrl());
  // Short, because its last event has the time of its end, which must be before the end of the replayed period.
  const callId = await call({ seconds: 1 });
  const { page, faults, close } = await testConsole.viewAs(account.admin, `/integrations?integration=${id}`);
  const alert = page.getByRole('alert');
  await alert.getByText('Falhando desde').waitFor();
  await alert.getByText('Não foi possível conectar').waitFor();
  await page.getByRole('button', { name: /Falhou Chamada encerrada/ }).click();
  await page
    .getByRole('region', { name: 'crm' })
    .getByText(/Próxima tentativa:/)
    .waitFor();

  await part(page, 'Configurações');
  await page.getByLabel('Endereço', { exact: true }).fill(receiver.url);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Salvo.').waitFor();
  // Events are replayed only to an address that has accepted one.
  await part(page, 'Teste');
  await page.getByRole('button', { name: 'Enviar teste' }).click();
  await page.getByText('Entregue.', { exact: true }).waitFor();
  await part(page, 'Entregas');
  // The test is listed too, with the same event.
  await page.getByRole('button', { name: /Chamada encerrada.*→/ }).click();
  await page.getByRole('button', { name: 'Reenviar evento' }).click();
  await page.getByText('Reenviado.').waitFor();
  await page.getByRole('button', { name: /Entregue Chamada encerrada.*→/ }).waitFor();
  // A retry may happen in between, so there may be more requests, but all with the same id.
  const received = () => webhooksAbout(receiver, callId);
  expect(received().map(({ body }) => body.eventType)).toContain('channel-hangup');

  await page.getByRole('button', { name: 'Reenviar um período' }).click();
  const requestCount = received().length;
  // The worker replays a period in a job.
  await testConsole.platform.mail();
  await page.getByRole('button', { name: 'Reenviar', exact: true }).click();
  await page.getByText('2 eventos serão reenviados').waitFor();
  await expect.poll(() => received().length).toBeGreaterThanOrEqual(requestCount + 2);
  await page.getByRole('button', { name: /Entregue Chamada atendida/ }).waitFor();
  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  expect(faults).toEqual([]);
  await close();
});

test('HOOK-41 deliveries name their call, are found by call, status and event, and include tests', async () => {
  const { id } = await addIntegration(account.admin, await deadUrl());
  const callId = await call();
  const other = await call();
  const { page, faults, close } = await testConsole.viewAs(
    account.admin,
    `/integrations?integration=${id}&part=test`,
  );
  await page.getByRole('button', { name: 'Enviar teste' }).click();
  await page.getByText('Não foi entregue.').waitFor();
  await part(page, 'Entregas');
  const rows = page.getByRole('region', { name: 'crm' }).getByRole('button', { expanded: false });
  const failed = rows.filter({ hasText: 'Falhou' });
  await failed.filter({ hasText: 'Teste' }).waitFor();
  await expect.poll(() => failed.filter({ hasText: /→ \+55 .* · Realizada/ }).count()).toBe(4);
  await failed.filter({ hasText: 'próxima tentativa' }).first().waitFor();

  await page.getByLabel('Status').selectOption('Falhou');
  await expect.poll(() => failed.count()).toBe(5);
  await page.getByLabel('Status').selectOption('Pendente');
  await page.getByText('Nenhuma entrega corresponde aos filtros.').waitFor();
  await page.getByLabel('Status').selectOption('Falhou');
  await page.getByLabel('Evento').selectOption('Chamada encerrada');
  await expect.poll(() => failed.count()).toBe(3);

  const search = page.getByLabel('Chamada', { exact: true });
  await search.fill('nada');
  await search.press('Enter');
  await page.getByText('Nenhum ID de chamada encontrado').waitFor();
  await search.fill(`https://console.example.com/calls/${callId}`);
  await search.press('Enter');
  await expect.poll(() => failed.count()).toBe(1);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    call: callId,
    state: 'failed',
    type: 'channel-hangup',
  });
  await page.reload();
  await expect.poll(() => failed.count()).toBe(1);
  await failed.click();
  const link = page.getByRole('link', { name: 'Abrir chamada' });
  expect(await link.getAttribute('href')).toBe(`/calls/${callId}`);
  await page.getByRole('button', { name: 'Mostrar todas as chamadas' }).click();
  await expect.poll(() => failed.count()).toBe(3);
  expect(other).not.toBe(callId);
  expect(faults).toEqual([]);
  await close();
});

test('a former administrator sees neither requests nor responses about calls of others, and why none is retried', async () => {
  const former = await account.addUser('ADMIN');
  const { id } = await addIntegration(former, receiver.url, ['channel-hangup']);
  receiver.answer(({ text }) => ({ status: 500, body: text }));
  const callId = await call();
  await account.admin.client.patch('/users', { uuid: former.uuid, role: 'USER' });
  await testConsole.platform.database.query(
    'update delivery_queue set due_at = $2 where integration_id = $1',
    [id, testConsole.platform.clock.now()],
  );
  await testConsole.platform.untilIdle();
  const { page, faults, close } = await testConsole.viewAs(former, `/integrations?integration=${id}`);
  await page.getByRole('button', { name: /Falhou Chamada encerrada .*não enviada/ }).click();
  await page.getByText('ou porque você não pode mais receber este evento').waitFor();
  await page.getByText('suas permissões não o incluem').waitFor();
  expect(await page.getByRole('button', { name: 'Reenviar evento' }).count()).toBe(0);
  expect(await page.content()).not.toContain(callId);
  expect(faults).toEqual([]);
  await close();
});

test('each type of receiver failure has its own text', async () => {
  const { id } = await addIntegration(account.admin, receiver.url);
  const { page, faults, close } = await testConsole.viewAs(
    account.admin,
    `/integrations?integration=${id}&part=test`,
  );
  const replies = [
    [503, 'falhou ao processar o evento'],
    [302, 'um redirecionamento. Não seguimos'],
    [401, 'ele exige login'],
    [404, 'este caminho não aceita POST'],
    ['reset', 'fechou a conexão antes de enviar uma resposta completa'],
  ] as const;
  for (const [reply, text] of replies) {
    receiver.answer(() => reply);
    await page.getByRole('button', { name: 'Enviar teste' }).click();
    await page.getByRole('alert').getByText(text).waitFor();
  }
  // The server's English detail only repeats the status.
  expect(await page.getByText('The server answered').count()).toBe(0);

  const secure = await startReceiver({ certificate: await makeCertificate('IP:127.0.0.1') });
  await addIntegration(account.admin, secure.url);
  await page.getByRole('button', { name: 'Enviar teste' }).click();
  await page.getByRole('alert').getByText('A conexão TLS falhou').waitFor();
  await secure.stop();

  await addIntegration(account.admin, receiver.url);
  receiver.answer(() => 'hang');
  await call();
  await part(page, 'Entregas');
  await page.getByRole('alert').getByText('O servidor não respondeu em 15 segundos').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('after a rotation both secrets verify for one day', async () => {
  const { id, secret: before } = await addIntegration(account.admin, receiver.url);
  const { page, faults, close } = await testConsole.viewAs(
    account.admin,
    `/integrations?integration=${id}&part=secret`,
  );
  await page.getByText('whsec_••••').waitFor();
  expect(await page.content()).not.toContain(before);
  await page.getByRole('button', { name: 'Trocar segredo' }).click();
  await page.getByRole('button', { name: 'Trocar agora' }).click();
  await page.getByText('também são assinados com o segredo anterior').waitFor();
  await page.getByRole('button', { name: 'Mostrar' }).click();
  const after = (await page.getByText(/^whsec_/).textContent()) ?? '';
  expect(after).not.toBe(before);
  const callId = await call();
  for (const { text, headers } of webhooksAbout(receiver, callId))
    for (const secret of [before, after]) expect(new Webhook(secret).verify(text, headers)).toBeTruthy();
  expect(faults).toEqual([]);
  await close();
});

test('explains why a call was not sent, for one call and for a period', async () => {
  const { id } = await addIntegration(account.admin, receiver.url, ['channel-answer'], {
    webhookConstraint: { deal: 'D-1' },
  });
  await call({ metadata: { deal: 'D-1' } });
  const other = await call({ metadata: { deal: 'D-2' } });
  const busy = await call({ metadata: { deal: 'D-1' }, seconds: 0 });
  const { page, faults, close } = await testConsole.viewAs(
    account.admin,
    `/integrations?integration=${id}&part=explain`,
  );
  await page.getByLabel('ID da chamada').fill('nothing');
  await page.getByRole('button', { name: 'Verificar chamada' }).click();
  await page.getByText('Nenhum ID de chamada encontrado').waitFor();
  await page.getByLabel('ID da chamada').fill(`https://console.example.com/calls/${other}`);
  await page.keyboard.press('Enter');
  await page.getByText('a chamada tem deal = D-2, e as condições exigem D-1').waitFor();
  expect(new URL(page.url()).searchParams.get('call')).toBe(other);
  await page.getByRole('button', { name: 'Verificar período' }).click();
  const answer = page.getByRole('region', { name: 'Resultado deste período' });
  await answer.getByText('3 chamadas: 1 com eventos enviados, 2 sem.').waitFor();
  expect(await answer.getByRole('listitem').allTextContents()).toEqual(
    expect.arrayContaining([
      '1 chamada: os metadados não têm deal = D-1, exigido pelas condições.',
      '1 chamada: nenhum evento da chamada está entre os selecionados: Chamada atendida.',
    ]),
  );
  await answer.getByText('2 chamadas mais recentes').click();
  await answer.getByRole('link', { name: busy }).click();
  await page
    .getByRole('region', { name: 'Resultado desta chamada' })
    .getByText('nenhum evento da chamada')
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a user’s integrations receive only that user’s calls and no billing events', async () => {
  await addIntegration(account.admin, receiver.url);
  const user = await account.addUser('USER');
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const { page, faults, close } = await testConsole.viewAs(user, '/integrations');
  await page.getByText('Receba cada evento').waitFor();
  await page.getByRole('link', { name: 'Criar webhook' }).click();
  await page.getByLabel('Nome').fill('meu');
  await page.getByLabel('Endereço').fill(receiver.url);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Você recebe os eventos das suas chamadas.').waitFor();
  expect(await page.getByRole('checkbox', { name: /Saldo baixo|Recarga paga/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Criar webhook' }).click();
  await page.getByRole('button', { name: 'Continuar para o teste' }).click();
  await page.getByRole('link', { name: 'Concluir sem testar' }).click();
  await page.getByRole('tab', { name: 'Diagnóstico' }).click();
  const callId = await call();
  await page.getByLabel('ID da chamada').fill(callId);
  await page.keyboard.press('Enter');
  await page.getByText('a chamada é de outro usuário').waitFor();
  expect(faults).toEqual([]);
  await close();
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, label: RegExp, maxPresses = 40): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < maxPresses; pressed += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const labelText = element?.labels?.[0]?.textContent ?? element?.textContent;
      return element?.getAttribute('aria-label') ?? labelText ?? '';
    });
    if (label.test(name)) return;
    seen.push(name);
  }
  throw new Error(`Tab did not reach ${label}: ${seen.join(' · ')}`);
}

test('a webhook is created, tested, paused, resumed and removed by keyboard alone', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/integrations/new');
  await page.getByRole('heading', { name: 'Para onde enviamos os eventos?' }).waitFor();
  const enter = async (label: RegExp): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.press('Enter');
  };
  await tabTo(page, /^Nome/);
  await page.keyboard.type('crm');
  await tabTo(page, /^Endereço/);
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Quais eventos você quer receber?' }).waitFor();
  await tabTo(page, /^Preço/);
  await page.keyboard.press('Space');
  await enter(/^Criar webhook/);
  await page.getByRole('button', { name: 'Ocultar' }).waitFor();
  await enter(/^Continuar para o teste/);
  await page.getByRole('heading', { name: 'Teste o webhook' }).waitFor();
  await enter(/^Enviar teste/);
  await page.getByText('Entregue.').waitFor();
  await enter(/^Concluir/);
  await page.getByRole('tab', { name: 'Entregas' }).waitFor();

  await enter(/^Pausar/);
  await page.getByText('Pausado: nada é enviado').waitFor();
  expect((await account.admin.client.get('/integrations')).body).toMatchObject([{ webhook: false }]);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pausar' }).waitFor();
  await tabTo(page, /^Entregas/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remover integração' }).waitFor();
  await enter(/^Remover integração/);
  await enter(/^Remover$/);
  await page.getByText('Receba cada evento').waitFor();
  expect((await account.admin.client.get('/integrations')).body).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});
