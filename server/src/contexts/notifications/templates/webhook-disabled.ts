import type { Template } from '../template.ts';
import { moment, quotedName } from '../wording.rules.ts';

export const webhookDisabled: Template<'webhook-disabled'> = {
  'pt-BR': ({ gateway, host, disabledAt, link }) => ({
    subject: 'Seu webhook foi desativado',
    preview: 'Nenhuma entrega deu certo nos últimos 5 dias.',
    title: 'Seu webhook foi desativado',
    paragraphs: [
      `Há 5 dias nenhuma entrega da integração “${quotedName(gateway)}” para ${quotedName(host)} dá certo. Por isso o webhook foi desativado em ${moment('pt-BR', disabledAt)}.`,
      'Corrija o que estiver errado no servidor que recebe os eventos e ative o webhook de novo. Os eventos dos últimos 30 dias podem ser reenviados.',
    ],
    action: { label: 'Ver a integração', link },
    notes: ['Enquanto o webhook estiver desativado, nada é enviado.'],
    reason: 'Você recebeu esta mensagem porque esta integração é sua.',
  }),
  en: ({ gateway, host, disabledAt, link }) => ({
    subject: 'Your webhook was disabled',
    preview: 'No delivery has succeeded for 5 days.',
    title: 'Your webhook was disabled',
    paragraphs: [
      `For 5 days no delivery of the integration “${quotedName(gateway)}” to ${quotedName(host)} has succeeded, so the webhook was disabled on ${moment('en', disabledAt)}.`,
      'Put right what is wrong with the server that receives the events, then enable the webhook again. The events of the last 30 days can be sent again.',
    ],
    action: { label: 'See the integration', link },
    notes: ['While the webhook is disabled, nothing is sent.'],
    reason: 'You are getting this message because this integration is yours.',
  }),
};
