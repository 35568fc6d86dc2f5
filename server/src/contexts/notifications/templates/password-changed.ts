import type { Template } from '../template.ts';
import { moment } from '../wording.rules.ts';

export const passwordChanged: Template<'password-changed'> = {
  'pt-BR': ({ changedAt }) => ({
    subject: 'Sua senha foi alterada',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Sua senha foi alterada',
    paragraphs: [
      `A senha do seu usuário na Disca foi alterada em ${moment('pt-BR', changedAt)}.`,
      'Foi você? Então não precisa fazer nada.',
      'Não foi? Peça agora uma nova senha na tela de entrada e avise um administrador da conta da sua empresa.',
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
      'Was it you? Then there is nothing to do.',
      'If not, ask for a new password on the sign-in page now, and tell an administrator of your company’s account.',
    ],
    notes: [],
    reason: 'You are getting this message because this is the e-mail of your Disca user.',
  }),
};
