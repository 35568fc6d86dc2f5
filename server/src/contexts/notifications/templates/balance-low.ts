import type { Template } from '../template.ts';
import { reais } from '../wording.rules.ts';

export const balanceLow: Template<'balance-low'> = {
  'pt-BR': ({ available, isTest, link }) => ({
    subject: 'Seu crédito está acabando',
    preview: `Crédito disponível: ${reais('pt-BR', available)}.`,
    title: 'Seu crédito está acabando',
    paragraphs: [
      `O crédito disponível da sua conta caiu para ${reais('pt-BR', available)}.`,
      'Quando ele acabar, as ligações em andamento serão encerradas e novas ligações serão recusadas.',
      ...(isTest ? ['Sua conta está em modo de teste: este crédito não é dinheiro de verdade.'] : []),
    ],
    action: { label: 'Adicionar crédito', link },
    notes: ['O valor que dispara este aviso pode ser mudado nas configurações da conta.'],
    reason: 'Você recebeu esta mensagem porque é administrador de uma conta da Disca.',
  }),
  en: ({ available, isTest, link }) => ({
    subject: 'Your credit is running low',
    preview: `Available credit: ${reais('en', available)}.`,
    title: 'Your credit is running low',
    paragraphs: [
      `The available credit of your account fell to ${reais('en', available)}.`,
      'Once it is used up, running calls are ended and new ones refused.',
      ...(isTest ? ['Your account is in test mode: this credit is not real money.'] : []),
    ],
    action: { label: 'Add credit', link },
    notes: ['The amount that triggers this notice can be changed in the settings of the account.'],
    reason: 'You are getting this message because you are an administrator of a Disca account.',
  }),
};
