import type { Template } from '../template.ts';
import { moment } from '../wording.rules.ts';

export const newLogin: Template<'new-login'> = {
  'pt-BR': ({ address, at }) => ({
    subject: 'Novo acesso à sua conta',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Novo acesso à sua conta',
    paragraphs: [
      `Seu usuário entrou na Disca em ${moment('pt-BR', at)} a partir de uma rede nova (${address}).`,
      'Se foi você, não é preciso fazer nada.',
      'Se não foi, redefina sua senha agora na tela de login e avise um administrador da conta da sua empresa.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este é o e-mail do seu usuário na Disca.',
  }),
  en: ({ address, at }) => ({
    subject: 'New login to your account',
    preview: 'If this was not you, see what to do.',
    title: 'New login to your account',
    paragraphs: [
      `Your user logged in to Disca on ${moment('en', at)} from a new network (${address}).`,
      'If this was you, no action is needed.',
      'If not, reset your password on the login page now and notify an administrator of your company’s account.',
    ],
    notes: [],
    reason: 'You are getting this message because this is the email of your Disca user.',
  }),
};
