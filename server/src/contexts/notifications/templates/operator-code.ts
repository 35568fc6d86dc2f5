import type { Template } from '../template.ts';

export const operatorCode: Template<'operator-code'> = {
  'pt-BR': ({ name, code }) => ({
    subject: 'Seu código de operador da Disca',
    preview: 'Com ele você escolhe sua senha de operador.',
    title: 'Seu código de operador',
    paragraphs: [
      `Você é o operador ${name} deste serviço Disca. Com este código, escolha sua senha e adicione seu aplicativo de códigos:`,
      code,
      `Em uma máquina do serviço, execute: disca operator set-up ${name}`,
    ],
    notes: [
      'O código vale por 24 horas e só pode ser usado uma vez. Não o encaminhe: quem o usa age em seu nome.',
      'Se você não esperava este código, avise os outros operadores.',
    ],
    reason: 'Você recebeu esta mensagem porque este é o e-mail de um operador da Disca.',
  }),
  en: ({ name, code }) => ({
    subject: 'Your Disca operator set-up code',
    preview: 'With it you choose your password as an operator.',
    title: 'Your set-up code',
    paragraphs: [
      `You are the operator ${name} of this Disca service. With this code, choose your password and add your app for codes:`,
      code,
      `On a machine of the service, run: disca operator set-up ${name}`,
    ],
    notes: [
      'The code is valid for 24 hours and can be used once. Do not forward it: the person who uses it acts in your name.',
      'If you did not expect this code, notify the other operators.',
    ],
    reason: 'You are getting this message because this is the email of a Disca operator.',
  }),
};
