import type { Template } from '../template.ts';

export const confirmNewAddress: Template<'confirm-new-address'> = {
  'pt-BR': ({ link }) => ({
    subject: 'Confirme seu novo e-mail',
    preview: 'Confirme que este endereço é seu.',
    title: 'Confirme seu novo e-mail',
    paragraphs: [
      'Este endereço passou a ser o e-mail de um usuário da Disca.',
      'Confirme que ele é seu para continuar recebendo avisos e poder redefinir sua senha.',
    ],
    action: { label: 'Confirmar novo e-mail', link },
    notes: [
      'O link vale por 48 horas.',
      'Se você não usa a Disca, ignore esta mensagem: o endereço provavelmente foi digitado errado.',
    ],
    reason:
      'Você recebeu esta mensagem porque este endereço foi informado no cadastro de um usuário da Disca.',
  }),
  en: ({ link }) => ({
    subject: 'Confirm your new email',
    preview: 'Confirm that this address is yours.',
    title: 'Confirm your new email',
    paragraphs: [
      'This address is now the email of a Disca user.',
      'Confirm that it is yours to keep receiving notifications and to be able to reset your password.',
    ],
    action: { label: 'Confirm new email', link },
    notes: [
      'The link is valid for 48 hours.',
      'If you do not use Disca, ignore this message: the address was probably mistyped.',
    ],
    reason: 'You are getting this message because this address was entered for a Disca user.',
  }),
};
