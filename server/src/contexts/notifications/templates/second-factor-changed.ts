import type { FactorChange } from '../mail.ts';
import type { Template } from '../template.ts';
import { moment } from '../wording.rules.ts';

const titlesPt: Record<FactorChange, string> = {
  added: 'Um segundo fator foi adicionado',
  removed: 'Um segundo fator foi removido',
  reset: 'Seus segundos fatores foram removidos',
  'recovery-codes-replaced': 'Novos códigos de recuperação gerados',
  'recovery-code-used': 'Um código de recuperação foi usado',
};

const titlesEn: Record<FactorChange, string> = {
  added: 'A second factor was added',
  removed: 'A second factor was removed',
  reset: 'Your second factors were removed',
  'recovery-codes-replaced': 'New recovery codes were generated',
  'recovery-code-used': 'A recovery code was used',
};

const sentencesPt: Record<FactorChange, (name: string, when: string) => string> = {
  added: (name, when) => `O segundo fator “${name}” foi adicionado ao seu usuário na Disca em ${when}.`,
  removed: (name, when) => `O segundo fator “${name}” foi removido do seu usuário na Disca em ${when}.`,
  reset: (_name, when) =>
    `Um administrador ou o operador do serviço removeu todos os segundos fatores do seu usuário na Disca em ${when}. Para entrar, basta agora a senha.`,
  'recovery-codes-replaced': (_name, when) =>
    `Os códigos de recuperação do seu usuário na Disca foram substituídos em ${when}. Os anteriores não valem mais.`,
  'recovery-code-used': (left, when) =>
    `Um código de recuperação do seu usuário na Disca foi usado em ${when}. Códigos restantes: ${left}.`,
};

const sentencesEn: Record<FactorChange, (name: string, when: string) => string> = {
  added: (name, when) => `The second factor “${name}” was added to your Disca user on ${when}.`,
  removed: (name, when) => `The second factor “${name}” was removed from your Disca user on ${when}.`,
  reset: (_name, when) =>
    `An administrator or the service operator removed all second factors of your Disca user on ${when}. Your password alone is now enough to log in.`,
  'recovery-codes-replaced': (_name, when) =>
    `The recovery codes of your Disca user were replaced on ${when}. The earlier ones no longer work.`,
  'recovery-code-used': (left, when) =>
    `A recovery code of your Disca user was used on ${when}. Codes left: ${left}.`,
};

export const secondFactorChanged: Template<'second-factor-changed'> = {
  'pt-BR': ({ change, name, changedAt }) => ({
    subject: titlesPt[change],
    preview: 'Se não foi você, veja o que fazer.',
    title: titlesPt[change],
    paragraphs: [
      sentencesPt[change](name, moment('pt-BR', changedAt)),
      'Se foi você, não é preciso fazer nada.',
      'Se não foi, redefina sua senha agora na tela de login e avise um administrador da conta da sua empresa.',
    ],
    notes: [],
    reason: 'Você recebeu esta mensagem porque este é o e-mail do seu usuário na Disca.',
  }),
  en: ({ change, name, changedAt }) => ({
    subject: titlesEn[change],
    preview: 'If this was not you, see what to do.',
    title: titlesEn[change],
    paragraphs: [
      sentencesEn[change](name, moment('en', changedAt)),
      'If this was you, no action is needed.',
      'If not, reset your password on the login page now and notify an administrator of your company’s account.',
    ],
    notes: [],
    reason: 'You are getting this message because this is the email of your Disca user.',
  }),
};
