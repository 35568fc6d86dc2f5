import type { Template } from '../template.ts';
import { moment } from '../wording.rules.ts';

export const tokenCreated: Template<'token-created'> = {
  'pt-BR': ({ name, createdAt }) => ({
    subject: 'Um token de acesso foi criado',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Um token de acesso foi criado',
    paragraphs: [
      `O token de acesso ${name === '' ? 'sem nome' : `“${name}”`} foi criado com o seu usuário na Disca em ${moment('pt-BR', createdAt)}.`,
      'Se foi você, não é preciso fazer nada.',
      'Se não foi, revogue o token no console, em Pessoas e tokens, e redefina sua senha.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este é o e-mail do seu usuário na Disca.',
  }),
  en: ({ name, createdAt }) => ({
    subject: 'An access token was created',
    preview: 'If this was not you, see what to do.',
    title: 'An access token was created',
    paragraphs: [
      `The access token ${name === '' ? 'without a name' : `“${name}”`} was created with your Disca user on ${moment('en', createdAt)}.`,
      'If this was you, no action is needed.',
      'If not, revoke the token in the console under People and tokens, and reset your password.',
    ],
    notes: [],
    reason: 'You are getting this message because this is the email of your Disca user.',
  }),
};
