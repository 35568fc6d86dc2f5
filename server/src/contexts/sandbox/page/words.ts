import type { PayerChoice, PaymentStatus } from '../payment.ts';

export const locales = ['pt-BR', 'en'] as const;
export type Locale = (typeof locales)[number];

/** Returns Portuguese unless the browser prefers English. */
export function localeOf(acceptLanguage = ''): Locale {
  const weighted = acceptLanguage.split(',', 20).map((item) => {
    const [tag = '', ...settings] = item.trim().toLowerCase().split(';');
    const weight = settings.map((setting) => /^\s*q=([\d.]+)$/.exec(setting)?.[1]).find(Boolean) ?? '1';
    return { language: tag.slice(0, 2), weight: Number(weight) };
  });
  const supported = weighted.filter(({ language, weight }) => weight > 0 && ['pt', 'en'].includes(language));
  return supported.toSorted((a, b) => b.weight - a.weight)[0]?.language === 'en' ? 'en' : 'pt-BR';
}

const portuguese = {
  testMode: 'Modo de teste',
  noRealMoney: 'Nenhum dinheiro real é movimentado aqui.',
  title: 'Pagamento',
  payTo: 'Pagamento para',
  due: 'Vencimento',
  description: 'Descrição',
  number: 'Número',
  howToPay: 'Como você quer pagar?',
  payWith: (choice: string) => `Pagar com ${choice}`,
  card: 'Cartão',
  choices: {
    PIX: 'Pix',
    BOLETO: 'boleto',
    CREDIT_CARD: 'cartão de crédito',
    DEBIT_CARD: 'cartão de débito',
  } satisfies Record<PayerChoice, string>,
  pixSteps: [
    'Abra o aplicativo do seu banco e escolha Pix.',
    'Escaneie o QR code ou cole o código.',
    'Confira o valor e confirme.',
  ],
  pixCode: 'Pix copia e cola',
  qrCode: 'QR code do Pix',
  slipHelp:
    'Copie a linha digitável e pague no aplicativo do seu banco. O banco 999 não existe: é um boleto de teste.',
  slipLine: 'Linha digitável',
  cardHelp: 'Um cartão de teste já está preenchido. Esta página nunca pede os dados de um cartão real.',
  testCard: 'Cartão de teste',
  copy: 'Copiar',
  copied: 'Copiado',
  youDecide: 'No ambiente de teste, você responde pelo banco:',
  pay: (amount: string) => `Pagar ${amount}`,
  refuse: 'Recusar pagamento',
  overdue: 'O vencimento já passou, mas você ainda pode pagar.',
  refused: 'O pagamento foi recusado e nada foi cobrado. Você pode tentar novamente.',
  statuses: {
    PENDING: 'Aguardando pagamento',
    OVERDUE: 'Vencido',
    CONFIRMED: 'Pagamento confirmado',
    RECEIVED: 'Pagamento recebido',
    CANCELED: 'Pagamento cancelado',
    REFUNDED: 'Pagamento estornado',
    CHARGEBACK: 'Pagamento contestado',
  } satisfies Record<PaymentStatus, string>,
  outcomes: {
    CONFIRMED: 'O cartão foi aprovado. Você já pode fechar esta página.',
    RECEIVED: 'Pagamento concluído. Você já pode fechar esta página.',
    CANCELED: 'A cobrança foi cancelada. Não há nada a pagar.',
    REFUNDED: 'O valor foi devolvido a quem pagou.',
    CHARGEBACK: 'O pagador contestou este pagamento no banco, e o valor foi estornado.',
  } satisfies Record<Exclude<PaymentStatus, 'PENDING' | 'OVERDUE'>, string>,
  paidAt: 'Pago em',
  paidBy: 'Forma de pagamento',
  refundedAt: 'Estornado em',
  missing: 'Pagamento não encontrado',
  missingHelp: 'Verifique se o link está completo ou peça um novo a quem enviou.',
  footer: 'Ambiente de testes da Disca: os códigos e boletos gerados aqui não têm validade fora dele.',
};

export type Words = typeof portuguese;

const english: Words = {
  testMode: 'Test mode',
  noRealMoney: 'No real money is moved here.',
  title: 'Payment',
  payTo: 'Payment to',
  due: 'Due date',
  description: 'Description',
  number: 'Number',
  howToPay: 'How would you like to pay?',
  payWith: (choice) => `Pay by ${choice}`,
  card: 'Card',
  choices: { PIX: 'Pix', BOLETO: 'boleto', CREDIT_CARD: 'credit card', DEBIT_CARD: 'debit card' },
  pixSteps: [
    'Open your bank’s app and choose Pix.',
    'Scan the QR code or paste the code.',
    'Check the amount and confirm.',
  ],
  pixCode: 'Pix copy and paste',
  qrCode: 'Pix QR code',
  slipHelp:
    'Copy the boleto number and pay it in your bank’s app. Bank 999 does not exist: this is a test boleto.',
  slipLine: 'Boleto number',
  cardHelp: 'A test card is already filled in. This page never asks for real card details.',
  testCard: 'Test card',
  copy: 'Copy',
  copied: 'Copied',
  youDecide: 'In test mode, you act as the bank:',
  pay: (amount) => `Pay ${amount}`,
  refuse: 'Decline payment',
  overdue: 'The due date has passed, but you can still pay.',
  refused: 'The payment was declined and nothing was charged. You can try again.',
  statuses: {
    PENDING: 'Awaiting payment',
    OVERDUE: 'Overdue',
    CONFIRMED: 'Payment confirmed',
    RECEIVED: 'Payment received',
    CANCELED: 'Payment canceled',
    REFUNDED: 'Payment refunded',
    CHARGEBACK: 'Payment disputed',
  },
  outcomes: {
    CONFIRMED: 'The card was approved. You can close this page.',
    RECEIVED: 'Payment complete. You can close this page.',
    CANCELED: 'The charge was canceled. There is nothing to pay.',
    REFUNDED: 'The amount was returned to the payer.',
    CHARGEBACK: 'The payer disputed this payment with the bank, and the amount was taken back.',
  },
  paidAt: 'Paid on',
  paidBy: 'Payment method',
  refundedAt: 'Refunded on',
  missing: 'Payment not found',
  missingHelp: 'Check that the link is complete, or ask the sender for a new one.',
  footer: 'Disca’s test environment: codes and boletos generated here are not valid outside it.',
};

export const words: Record<Locale, Words> = { 'pt-BR': portuguese, en: english };
