import type { Template } from '../template.ts';

export const resetPassword: Template<'reset-password'> = {
  'pt-BR': ({ link }) => ({
    subject: 'Redefina sua senha',
    preview: 'O link vale por 1 hora.',
    title: 'Redefina sua senha',
    paragraphs: ['Recebemos uma solicitação para redefinir a senha do seu usuário na Disca.'],
    action: { label: 'Criar nova senha', link },
    notes: [
      'O link vale por 1 hora e só pode ser usado uma vez. Não o encaminhe.',
      'Se você não fez esta solicitação, ignore esta mensagem: sua senha continua a mesma.',
    ],
    reason: 'Você recebeu esta mensagem porque uma nova senha foi solicitada para este endereço na Disca.',
  }),
  en: ({ link }) => ({
    subject: 'Reset your password',
    preview: 'The link is valid for 1 hour.',
    title: 'Reset your password',
    paragraphs: ['We received a request to reset the password of your Disca user.'],
    action: { label: 'Choose a new password', link },
    notes: [
      'The link is valid for 1 hour and can be used once. Do not forward it.',
      'If you did not request this, ignore this message: your password does not change.',
    ],
    reason: 'You are getting this message because a new password was requested for this address at Disca.',
  }),
};
