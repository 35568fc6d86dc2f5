import type { Template } from '../template.ts';
import { moment } from '../wording.rules.ts';

export const passwordChanged: Template<'password-changed'> = {
  'pt-BR': ({ changedAt }) => ({
    subject: 'Sua senha foi alterada',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Sua senha foi alterada',
    paragraphs: [
      `A senha do seu usuário na Disca foi alterada em ${moment('pt-BR', changedAt)}.`,
      'Se foi você, não é preciso fazer nada.',
      'Se não foi, redefina sua senha agora na tela de login e avise um administrador da conta da sua empresa.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este é o e-mail do seu usuário na Disca.',
  }),
  en: ({ changedAt }) => ({
    subject: 'Your password was changed',
    preview: 'If this was not you, see what to do.',
    title: 'Your password was changed',
    paragraphs: [
      `The password of your Disca user was changed on ${moment('en', changedAt)}.`,
      'If this was you, no action is needed.',
      'If not, reset your password on the login page now and notify an administrator of your company’s account.',
    ],
    notes: [],
    reason: 'You are getting this message because this is the email of your Disca user.',
  }),
};
