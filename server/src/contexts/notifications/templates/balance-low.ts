import type { Template } from '../template.ts';
import { reais } from '../wording.rules.ts';

export const balanceLow: Template<'balance-low'> = {
  'pt-BR': ({ available, isTest, link }) => ({
    subject: 'Seu saldo está acabando',
    preview: `Saldo disponível: ${reais('pt-BR', available)}.`,
    title: 'Seu saldo está acabando',
    paragraphs: [
      `O saldo disponível da sua conta caiu para ${reais('pt-BR', available)}.`,
      'Quando o saldo acabar, as ligações em andamento serão encerradas e novas ligações serão recusadas.',
      ...(isTest ? ['Sua conta está em modo de teste: este saldo não é dinheiro de verdade.'] : []),
    ],
    action: { label: 'Adicionar saldo', link },
    notes: ['Você pode alterar o valor deste alerta nas configurações da conta.'],
    reason: 'Você recebeu esta mensagem porque é administrador de uma conta da Disca.',
  }),
  en: ({ available, isTest, link }) => ({
    subject: 'Your credit is running low',
    preview: `Available credit: ${reais('en', available)}.`,
    title: 'Your credit is running low',
    paragraphs: [
      `Your account’s available credit fell to ${reais('en', available)}.`,
      'When it runs out, active calls are ended and new calls are rejected.',
      ...(isTest ? ['Your account is in test mode: this credit is not real money.'] : []),
    ],
    action: { label: 'Add credit', link },
    notes: ['You can change the amount of this alert in the account settings.'],
    reason: 'You are getting this message because you are an administrator of a Disca account.',
  }),
};
