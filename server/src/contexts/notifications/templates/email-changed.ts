import type { Template } from '../template.ts';
import { maskedAddress, moment } from '../wording.rules.ts';

export const emailChanged: Template<'email-changed'> = {
  'pt-BR': ({ newAddress, changedAt, link }) => ({
    subject: 'Seu e-mail foi alterado',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Seu e-mail foi alterado',
    paragraphs: [
      `Seu e-mail de acesso à Disca passou a ser ${maskedAddress(newAddress)}.`,
      `A alteração foi feita em ${moment('pt-BR', changedAt)}. Este endereço ainda serve para entrar por 72 horas.`,
      'Se foi você ou um administrador da sua empresa, não é preciso fazer nada.',
      link
        ? 'Se não foi, desfaça a alteração: seu endereço volta a ser este, e todas as sessões são encerradas. Em seguida, crie uma nova senha.'
        : 'Se não foi, fale agora com um administrador da conta da sua empresa: ele pode restaurar seu endereço e alterar sua senha. Se você é o administrador, fale com o operador do serviço.',
    ],
    ...(link ? { action: { label: 'Desfazer a alteração', link } } : {}),
    notes: link ? ['O link vale por 72 horas e só pode ser usado uma vez. Não o encaminhe.'] : [],
    reason: 'Você recebeu esta mensagem porque este era o e-mail do seu usuário na Disca.',
  }),
  en: ({ newAddress, changedAt, link }) => ({
    subject: 'Your email was changed',
    preview: 'If this was not you, see what to do.',
    title: 'Your email was changed',
    paragraphs: [
      `Your Disca login email is now ${maskedAddress(newAddress)}.`,
      `It was changed on ${moment('en', changedAt)}. You can still log in with this address for 72 hours.`,
      'If you or an administrator of your company made this change, no action is needed.',
      link
        ? 'If not, undo the change: your address is restored, and all sessions end. Then choose a new password.'
        : 'If not, contact an administrator of your company’s account now: they can restore your address and change your password. If you are the administrator, contact the service operator.',
    ],
    ...(link ? { action: { label: 'Undo the change', link } } : {}),
    notes: link ? ['The link is valid for 72 hours and can be used once. Do not forward it.'] : [],
    reason: 'You are getting this message because this was the email of your Disca user.',
  }),
};
