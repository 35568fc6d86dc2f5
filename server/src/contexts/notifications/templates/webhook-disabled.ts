import type { Template } from '../template.ts';
import { moment, quotedName } from '../wording.rules.ts';

export const webhookDisabled: Template<'webhook-disabled'> = {
  'pt-BR': ({ gateway, host, disabledAt, link }) => ({
    subject: 'Seu webhook foi desativado',
    preview: 'Todas as entregas falharam por 5 dias.',
    title: 'Seu webhook foi desativado',
    paragraphs: [
      `Todas as entregas da integração “${quotedName(gateway)}” para ${quotedName(host)} falharam por 5 dias, por isso o webhook foi desativado em ${moment('pt-BR', disabledAt)}.`,
      'Corrija o servidor que recebe os eventos e reative o webhook. Os eventos dos últimos 30 dias podem ser reenviados.',
    ],
    action: { label: 'Ver integração', link },
    notes: ['Enquanto o webhook estiver desativado, nada é enviado.'],
    reason: 'Você recebeu esta mensagem porque esta integração é sua.',
  }),
  en: ({ gateway, host, disabledAt, link }) => ({
    subject: 'Your webhook was disabled',
    preview: 'Every delivery failed for 5 days.',
    title: 'Your webhook was disabled',
    paragraphs: [
      `Every delivery of the integration “${quotedName(gateway)}” to ${quotedName(host)} failed for 5 days, so the webhook was disabled on ${moment('en', disabledAt)}.`,
      'Fix the server that receives the events, then re-enable the webhook. Events of the last 30 days can be replayed.',
    ],
    action: { label: 'View integration', link },
    notes: ['While the webhook is disabled, nothing is sent.'],
    reason: 'You are getting this message because this integration is yours.',
  }),
};
