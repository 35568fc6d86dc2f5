import type { Template } from '../template.ts';
import { maskedAddress, moment } from '../wording.rules.ts';

export const emailChanged: Template<'email-changed'> = {
  'pt-BR': ({ newAddress, changedAt }) => ({
    subject: 'Seu e-mail foi alterado',
    preview: 'Se não foi você, veja o que fazer.',
    title: 'Seu e-mail foi alterado',
    paragraphs: [
      `Seu e-mail de acesso à Disca passou a ser ${maskedAddress(newAddress)}.`,
      `A alteração foi feita em ${moment('pt-BR', changedAt)}. Este endereço não dá mais acesso à conta.`,
      'Foi você ou um administrador da sua empresa? Então está tudo certo.',
      'Não foi? Fale agora com um administrador da conta da sua empresa: ele pode devolver seu endereço e trocar sua senha. Se o administrador é você, fale com quem opera o serviço.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este era o e-mail do seu usuário na Disca.',
  }),
  en: ({ newAddress, changedAt }) => ({
    subject: 'Your e-mail was changed',
    preview: 'If this was not you, see what to do.',
    title: 'Your e-mail was changed',
    paragraphs: [
      `Your sign-in e-mail at Disca is now ${maskedAddress(newAddress)}.`,
      `It was changed on ${moment('en', changedAt)}. This address no longer signs in.`,
      'Was it you or an administrator of your company? Then all is well.',
      'If not, talk now to an administrator of your company’s account, who can give you back your address and change your password. If the administrator is you, talk to whoever operates the service.',
    ],
    notes: [],
    reason: 'You are getting this message because this was the e-mail of your Disca user.',
  }),
};
