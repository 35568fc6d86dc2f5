import type { Template } from '../template.ts';
import { quotedName } from '../wording.rules.ts';

export const confirmEmail: Template<'confirm-email'> = {
  'pt-BR': ({ companyName, link }) => ({
    subject: 'Confirme seu e-mail',
    preview: 'Falta um passo para ativar sua conta na Disca.',
    title: 'Confirme seu e-mail',
    paragraphs: [
      `A conta de ${quotedName(companyName)} na Disca está quase pronta. Para ativá-la, confirme que este endereço é seu.`,
    ],
    action: { label: 'Confirmar e-mail', link },
    notes: [
      'O link vale por 48 horas.',
      'Se você não criou esta conta, ignore esta mensagem: sem a confirmação, nada é ativado.',
    ],
    reason: 'Você recebeu esta mensagem porque este endereço foi informado ao criar uma conta na Disca.',
  }),
  en: ({ companyName, link }) => ({
    subject: 'Confirm your email',
    preview: 'One step left to activate your Disca account.',
    title: 'Confirm your email',
    paragraphs: [
      `The Disca account for ${quotedName(companyName)} is almost ready. To activate it, confirm that this address is yours.`,
    ],
    action: { label: 'Confirm email', link },
    notes: [
      'The link is valid for 48 hours.',
      'If you did not create this account, ignore this message: nothing is activated without confirmation.',
    ],
    reason: 'You are getting this message because this address was given when a Disca account was created.',
  }),
};
