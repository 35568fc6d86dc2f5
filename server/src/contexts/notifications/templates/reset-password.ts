import type { Template } from '../template.ts';

export const resetPassword: Template<'reset-password'> = {
  'pt-BR': ({ link }) => ({
    subject: 'Redefina sua senha',
    preview: 'O link vale por 1 hora.',
    title: 'Redefina sua senha',
    paragraphs: ['Recebemos um pedido para redefinir a senha do seu usuário na Disca.'],
    action: { label: 'Criar nova senha', link },
    notes: [
      'O link vale por 1 hora e só pode ser usado uma vez. Não o encaminhe a ninguém.',
      'Se você não fez este pedido, ignore esta mensagem: sua senha continua a mesma.',
    ],
    reason: 'Você recebeu esta mensagem porque alguém pediu uma nova senha para este endereço na Disca.',
  }),
  en: ({ link }) => ({
    subject: 'Reset your password',
    preview: 'The link works for 1 hour.',
    title: 'Reset your password',
    paragraphs: ['We were asked to reset the password of your Disca user.'],
    action: { label: 'Choose a new password', link },
    notes: [
      'The link works once, for 1 hour. Do not forward it to anyone.',
      'If you did not ask for this, ignore this message: your password stays as it is.',
    ],
    reason:
      'You are getting this message because somebody asked for a new password for this address at Disca.',
  }),
};
