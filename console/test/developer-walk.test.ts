import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../server/test/harness/people.ts';
import { runCall } from '../../server/test/harness/webhooks/calls.ts';
import { type Receiver, startReceiver, webhooksAbout } from '../../server/test/harness/webhooks/receiver.ts';
import { addIntegration } from '../../server/test/harness/webhooks/webhook-platform.ts';
import { startWebhookConsole, type WebhookConsole } from './harness/webhooks.ts';

let testConsole: WebhookConsole;
let receiver: Receiver;

beforeAll(async () => {
  testConsole = await startWebhookConsole();
  receiver = await startReceiver();
});
afterAll(async () => {
  await testConsole?.close();
  await receiver?.stop();
});

const words = {
  'pt-BR': {
    explain: 'Diagnóstico',
    call: 'ID da chamada',
    check: 'Verificar chamada',
    reason: 'a chamada tem deal = D-2, e as condições exigem D-1',
    settings: 'Configurações',
    value: 'Valor',
    save: 'Salvar',
    saved: 'Salvo.',
    clear: 'Nada impede o envio desta chamada.',
    test: 'Teste',
    sendTest: 'Enviar teste',
    sent: 'Entregue.',
    deliveries: 'Entregas',
    replayPeriod: 'Reenviar um período',
    replay: 'Reenviar',
    replayed: 'será reenviado em segundo plano',
    delivered: /Entregue Chamada atendida/,
  },
  en: {
    explain: 'Troubleshoot',
    call: 'Call ID',
    check: 'Check this call',
    reason: 'the call has deal = D-2, and the conditions require D-1',
    settings: 'Settings',
    value: 'Value',
    save: 'Save',
    saved: 'Saved.',
    clear: 'Nothing prevents this call from being sent.',
    test: 'Test',
    sendTest: 'Send test',
    sent: 'Delivered.',
    deliveries: 'Deliveries',
    replayPeriod: 'Replay a period',
    replay: 'Replay',
    replayed: 'will be resent in the background',
    delivered: /Delivered Call answered/,
  },
} as const;

test.each(['pt-BR', 'en'] as const)(
  'HOOK-27 a developer finds out why a call was not sent and replays it, in %s',
  async (language) => {
    const text = words[language];
    const { platform } = testConsole;
    const account = await createAccount(platform);
    await account.admin.client.patch('/users', { locale: language });
    const { id } = await addIntegration(account.admin, receiver.url, ['channel-answer'], {
      webhookConstraint: { deal: 'D-1' },
    });
    const { id: callId } = await runCall(platform, account, { metadata: { deal: 'D-2' }, seconds: 1 });
    await platform.untilIdle();
    expect(webhooksAbout(receiver, callId)).toEqual([]);

    const { page, faults, close } = await testConsole.viewAs(
      account.admin,
      `/integrations?integration=${id}`,
      { language },
    );
    const part = (name: string) => page.getByRole('tab', { name, exact: true }).click();
    await part(text.explain);
    await page.getByLabel(text.call).fill(callId);
    await page.getByRole('button', { name: text.check }).click();
    await page.getByText(text.reason).waitFor();

    await part(text.settings);
    await page.getByLabel(text.value, { exact: true }).fill('D-2');
    await page.getByRole('button', { name: text.save, exact: true }).click();
    await page.getByText(text.saved).waitFor();
    await part(text.explain);
    await page.getByLabel(text.call).fill(callId);
    await page.getByRole('button', { name: text.check }).click();
    await page.getByText(text.clear).waitFor();

    // Events are replayed only to an address that has accepted one.
    await part(text.test);
    await page.getByRole('button', { name: text.sendTest }).click();
    await page.getByText(text.sent, { exact: true }).waitFor();
    await part(text.deliveries);
    await page.getByRole('button', { name: text.replayPeriod }).click();
    await platform.mail();
    await page.getByRole('button', { name: text.replay, exact: true }).click();
    await page.getByText(text.replayed).waitFor();
    await expect.poll(() => webhooksAbout(receiver, callId).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: text.delivered }).first().waitFor();
    expect(faults).toEqual([]);
    await close();
  },
);
