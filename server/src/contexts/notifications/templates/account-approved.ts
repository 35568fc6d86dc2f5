import type { Template } from '../template.ts';

export const accountApproved: Template<'account-approved'> = {
  'pt-BR': ({ companyName, link }) => ({
    subject: 'Sua conta foi aprovada',
    preview: 'Agora você pode fazer ligações.',
    title: 'Sua conta foi aprovada',
    paragraphs: [`A conta de ${companyName} na Disca foi aprovada. Agora você pode fazer ligações.`],
    action: { label: 'Abrir o console', link },
    notes: [],
    reason: 'Você recebeu esta mensagem porque é administrador da conta.',
  }),
  en: ({ companyName, link }) => ({
    subject: 'Your account is approved',
    preview: 'You can place calls now.',
    title: 'Your account is approved',
    paragraphs: [`The Disca account of ${companyName} is approved. You can place calls now.`],
    action: { label: 'Open the console', link },
    notes: [],
    reason: 'You are getting this message because you are an administrator of the account.',
  }),
};
