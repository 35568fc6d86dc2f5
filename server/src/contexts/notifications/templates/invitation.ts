import type { Template } from '../template.ts';
import { quotedName } from '../wording.rules.ts';

/** The first ADMIN has the name of the company until they change it. */
const isPerson = (inviterName: string, companyName: string): boolean =>
  inviterName !== '' && inviterName !== companyName;

export const invitation: Template<'invitation'> = {
  'pt-BR': ({ companyName, inviterName, link }) => ({
    subject: 'Convite para a Disca',
    preview: 'Crie sua senha para começar a usar a Disca.',
    title: 'Você foi convidado',
    paragraphs: [
      isPerson(inviterName, companyName)
        ? `${quotedName(inviterName)} convidou você para a conta de ${quotedName(companyName)} na Disca.`
        : `Você foi convidado para a conta de ${quotedName(companyName)} na Disca.`,
      'Para aceitar, abra o link e crie sua senha.',
    ],
    action: { label: 'Aceitar convite', link },
    notes: [
      'O link vale por 72 horas e só pode ser usado uma vez. Não o encaminhe.',
      'Se você não esperava este convite, ignore esta mensagem: sem a sua senha, nenhum acesso é criado.',
    ],
    reason: 'Você recebeu esta mensagem porque este endereço foi convidado para uma conta na Disca.',
  }),
  en: ({ companyName, inviterName, link }) => ({
    subject: 'Invitation to Disca',
    preview: 'Choose a password to start using Disca.',
    title: 'You are invited',
    paragraphs: [
      isPerson(inviterName, companyName)
        ? `${quotedName(inviterName)} invited you to the account of ${quotedName(companyName)} on Disca.`
        : `You are invited to the account of ${quotedName(companyName)} on Disca.`,
      'To accept, open the link and choose a password.',
    ],
    action: { label: 'Accept invitation', link },
    notes: [
      'The link is valid for 72 hours and can be used once. Do not forward it.',
      'If you did not expect this invitation, ignore this message: without your password, no login is created.',
    ],
    reason: 'You are getting this message because this address was invited to a Disca account.',
  }),
};
