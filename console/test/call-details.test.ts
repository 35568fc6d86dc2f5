import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo } from '../../server/test/harness/mailbox.ts';
import { logIn, password } from '../../server/test/harness/people.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenHeard } from '../../server/test/harness/voice/tones.ts';
import { type Receiver, startReceiver, webhooksAbout } from '../../server/test/harness/webhooks/receiver.ts';
import { formatPhone } from '../src/shared/phone-number/format-phone.ts';
import { openView, type View } from './harness/browser.ts';
import { carrierHertz, microphoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { getLevels, recordPeerConnections, whenPageHears } from './harness/voice-hearing.ts';
import { phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

/** End-to-end test of a new company, from sign-up to its first call, using the console only. */
const owner = { name: 'Ana', email: 'ana@padaria-do-porto.test' };

let testConsole: VoiceConsole;
let receiver: Receiver;
let stopWorker: () => Promise<void>;
let view: View;

beforeAll(async () => {
  testConsole = await startVoiceConsole({ settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  stopWorker = await startWorker(testConsole.platform);
  receiver = await startReceiver();
  view = await openView(testConsole.browser, testConsole.baseUrl);
  await view.context.grantPermissions(['microphone'], { origin: testConsole.baseUrl });
  await recordPeerConnections(view.context);
});
afterAll(async () => {
  await view?.close();
  await stopWorker?.();
  await receiver?.stop();
  await testConsole?.close();
});

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const go = (page: Page, name: string) =>
  page.getByRole('navigation').first().getByRole('link', { name, exact: true }).click();

async function signUp(page: Page): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Nome da empresa').fill('Padaria do Porto');
  await page.getByLabel('Domínio da conta').fill('padaria-do-porto');
  await page.locator('[name=name]').fill('Dona Lúcia');
  await page.locator('[name=email]').fill(owner.email);
  await page.locator('[name=phone]').fill('11 98765-4321');
  await page.locator('[name=password]').fill(password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
  await page.goto((await linkTo(testConsole.platform, owner.email, 'confirm-email')).href);
  await page.locator('[name=email]').fill(owner.email);
  await page.locator('[name=password]').fill(password);
  await page.locator('[type=submit]').click();
  await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
}

async function topUp(page: Page): Promise<void> {
  await go(page, 'Saldo');
  await panel(page, 'Adicionar saldo').getByLabel('Valor (R$)').fill('50');
  await page.getByRole('button', { name: 'Gerar código Pix' }).click();
  const charge = panel(page, /^Cobrança nº/);
  await charge.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  await charge.getByRole('button', { name: 'Pagar agora (teste)' }).click();
  await charge.getByText(/R\$\s50,00 adicionados/).waitFor();
}

async function connectCrm(page: Page): Promise<void> {
  await go(page, 'Integrações');
  await page.getByRole('link', { name: 'Criar webhook' }).click();
  await page.getByLabel('Nome').fill('crm');
  await page.getByLabel('Endereço').fill(receiver.url);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Criar webhook' }).click();
  await page.getByRole('button', { name: 'Continuar para o teste' }).click();
  await page.getByRole('button', { name: 'Enviar teste' }).click();
  await page.getByText('Entregue.').waitFor();
  await page.getByRole('link', { name: 'Concluir' }).click();
}

async function addExtension(page: Page): Promise<void> {
  await go(page, 'Ramais');
  await page.getByRole('button', { name: 'Novo ramal' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Novo ramal' });
  await expect.poll(() => dialog.locator('[name=ramal]').inputValue()).toBe('1000');
  await dialog.locator('[name=first_name]').fill(owner.name);
  await dialog.locator('[name=last_name]').fill('Souza');
  await dialog.locator('[name=email_address]').fill(owner.email);
  await page.keyboard.press('Enter');
  const help = page.getByRole('dialog', { name: 'Configurar um telefone para o ramal 1000' });
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
}

test('a new company signs up, confirms, adds credit, a webhook and an extension', async () => {
  const { page, faults } = view;
  await signUp(page);
  await topUp(page);
  await connectCrm(page);
  await addExtension(page);
  expect(faults).toEqual([]);
});

test('the browser phone registers and calls a customer with two-way audio', async () => {
  const { page, faults } = view;
  // A full page load refreshes the session, which now includes the new extension.
  await page.goto('/calls');
  const phone = phoneIn(page);
  await phone.switchOn();
  const to = numberEnding('95');
  await phone.dial(formatPhone(to));
  await phone.talks();
  await page.getByText(formatPhone(to)).first().waitFor();
  await whenPageHears(page, carrierHertz);
  expect((await getLevels(page)).energyReceived).toBeGreaterThan(0);
  await expect.poll(async () => (await getLevels(page)).microphoneLevel).toBeGreaterThan(0);
  const { client } = await logIn(testConsole.platform, owner.email);
  const [{ id }] = (await client.list('/calls', { where: { to } }, { page: '1' })).body.data;
  await whenHeard(testConsole.platform.engines.simulator.heard(id, 'carrier'), microphoneHertz);
  await phone.press('hangUp');
  await phone.says(phone.words.ended.you);
  await phone.dock.getByRole('link', { name: phone.words.viewCall }).click();
  await page.waitForURL(`**/calls/${id}`);
  expect(faults).toEqual([]);
});

test('call details show the price, play the recording and show the delivered webhook', async () => {
  const { page, faults } = view;
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await panel(page, 'Preço')
    .getByText(/R\$\s0,60\/min/)
    .waitFor();
  await page.getByRole('button', { name: 'Ouvir gravação' }).click();
  const wave = page.getByRole('slider', { name: 'Posição da reprodução' });
  await expect.poll(async () => Number(await wave.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  await panel(page, 'crm').getByText('o servidor respondeu 204').first().waitFor();
  await expect
    .poll(() => webhooksAbout(receiver, id).map(({ body }) => body.eventType as string))
    .toContain('channel-hangup');
  expect(faults).toEqual([]);
});
