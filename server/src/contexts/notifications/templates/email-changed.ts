import type { Template } from '../template.ts';
import { maskedAddress, moment } from '../wording.rules.ts';

export const emailChanged: Template<'email-changed'> = {
  'pt-BR': ({ newAddress, changedAt }) => ({
    subject: 'Seu e-mail foi alterado',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Seu e-mail foi alterado',
    paragraphs: [
      `Seu e-mail de acesso à Disca passou a ser ${maskedAddress(newAddress)}.`,
      `A alteração foi feita em ${moment('pt-BR', changedAt)}. Você não pode mais entrar com este endereço.`,
      'Se foi você ou um administrador da sua empresa, não é preciso fazer nada.',
      'Se não foi, fale agora com um administrador da conta da sua empresa: ele pode restaurar seu endereço e alterar sua senha. Se você é o administrador, fale com o operador do serviço.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este era o e-mail do seu usuário na Disca.',
  }),
  en: ({ newAddress, changedAt }) => ({
    subject: 'Your email was changed',
    preview: 'If this was not you, see what to do.',
    title: 'Your email was changed',
    paragraphs: [
      `Your Disca login email is now ${maskedAddress(newAddress)}.`,
      `It was changed on ${moment('en', changedAt)}. You can no longer log in with this address.`,
      'If you or an administrator of your company made this change, no action is needed.',
      'If not, contact an administrator of your company’s account now: they can restore your address and change your password. If you are the administrator, contact the service operator.',
    ],
    notes: [],
    reason: 'You are getting this message because this was the email of your Disca user.',
  }),
};
