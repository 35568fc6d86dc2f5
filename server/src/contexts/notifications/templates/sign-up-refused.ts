import type { Template } from '../template.ts';

export const signUpRefused: Template<'sign-up-refused'> = {
  'pt-BR': ({ link }) => ({
    subject: 'Tentativa de cadastro com seu e-mail',
    preview: 'Você já tem um usuário na Disca.',
    title: 'Você já tem um usuário',
    paragraphs: [
      'Seu e-mail foi usado em um cadastro na Disca. O cadastro foi recusado, porque este endereço já tem um usuário. Nada mudou na sua conta.',
      'Se foi você, entre com seu e-mail. Se não lembra a senha, redefina-a na tela de login.',
    ],
    action: { label: 'Entrar', link },
    notes: ['Se não foi você, não é preciso fazer nada. Enviamos este aviso no máximo uma vez por dia.'],
    reason: 'Você recebeu esta mensagem porque este é o e-mail do seu usuário na Disca.',
  }),
  en: ({ link }) => ({
    subject: 'Sign-up attempt with your email',
    preview: 'You already have a Disca user.',
    title: 'You already have a user',
    paragraphs: [
      'Your email was used to sign up for Disca. The sign-up was refused because this address already has a user. Nothing changed in your account.',
      'If this was you, log in with your email. If you do not remember the password, reset it on the login page.',
    ],
    action: { label: 'Log in', link },
    notes: ['If this was not you, no action is needed. We send this notice at most once per day.'],
    reason: 'You are getting this message because this is the email of your Disca user.',
  }),
};
