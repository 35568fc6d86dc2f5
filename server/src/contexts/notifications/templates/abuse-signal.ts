import { reaisFromMicros } from '../../../platform/money.ts';
import type { Locale, MailData } from '../mail.ts';
import type { Template } from '../template.ts';
import { hourOfWeek, listed, moment, percent, reais } from '../wording.rules.ts';

type Facts = MailData<'abuse-signal'>['facts'];

export const abuseSignal: Template<'abuse-signal'> = {
  'pt-BR': ({ facts, isSuspended, at, link }) => ({
    subject: isSuspended ? 'Chamadas de saída suspensas' : 'Atividade incomum na sua conta',
    preview: isSuspended
      ? 'Sua conta teve uma atividade incomum.'
      : 'Nada foi bloqueado. Confira se você reconhece esta atividade.',
    title: isSuspended ? 'As chamadas de saída foram suspensas' : 'Atividade incomum na sua conta',
    paragraphs: [
      isSuspended
        ? `Em ${moment('pt-BR', at)}, as chamadas de saída da sua conta foram suspensas por causa de uma atividade incomum.`
        : `Em ${moment('pt-BR', at)}, sua conta teve uma atividade incomum. Nada foi bloqueado.`,
      inPortuguese(facts),
      'Se você não reconhece esta atividade, troque as senhas SIP dos ramais e revogue os tokens de acesso que não reconhece.',
      ...(isSuspended
        ? [
            'Para voltar a fazer chamadas de saída, fale com o operador do serviço. Chamadas recebidas e entre ramais continuam funcionando.',
          ]
        : []),
    ],
    action: { label: facts.kind === 'new_network' ? 'Ver ramais' : 'Ver chamadas', link },
    notes: ['Enviamos no máximo um aviso de cada tipo por dia.'],
    reason: 'Você recebeu esta mensagem porque é administrador de uma conta da Disca.',
  }),
  en: ({ facts, isSuspended, at, link }) => ({
    subject: isSuspended ? 'Outbound calls suspended' : 'Unusual activity in your account',
    preview: isSuspended
      ? 'There was unusual activity in your account.'
      : 'Nothing was blocked. Check whether you recognize this activity.',
    title: isSuspended ? 'Outbound calls were suspended' : 'Unusual activity in your account',
    paragraphs: [
      isSuspended
        ? `Outbound calls of your account were suspended on ${moment('en', at)} because of unusual activity.`
        : `There was unusual activity in your account on ${moment('en', at)}. Nothing was blocked.`,
      inEnglish(facts),
      'If you do not recognize this activity, change the SIP passwords of the extensions and revoke the access tokens that you do not recognize.',
      ...(isSuspended
        ? [
            'To place outbound calls again, contact the operator of the service. Inbound calls and calls between extensions still work.',
          ]
        : []),
    ],
    action: { label: facts.kind === 'new_network' ? 'View extensions' : 'View calls', link },
    notes: ['We send at most one alert of each kind per day.'],
    reason: 'You are getting this message because you are an administrator of a Disca account.',
  }),
};

function inPortuguese(facts: Facts): string {
  const [money, share] = [moneyIn('pt-BR'), (value: number) => percent('pt-BR', value)];
  switch (facts.kind) {
    case 'spend_velocity':
      return `A conta gastou ${money(facts.spentMicros)} em 15 minutos. O maior gasto em uma hora nos últimos ${facts.days} dias foi de ${money(facts.highestHourMicros)}.`;
    case 'new_destinations':
      return `A conta fez ${facts.calls} chamadas em 15 minutos para números que começam com ${listed('pt-BR', facts.prefixes)}, a até ${money(facts.highestMinuteMicros)} por minuto. Ela não ligou para esses destinos nos últimos 90 dias e costuma pagar ${money(facts.usualMinuteMicros)} por minuto.`;
    case 'outside_hours':
      return `A conta fez ${facts.calls} chamadas em 15 minutos em um horário incomum (${hourOfWeek('pt-BR', facts.hourOfWeek)}). Nos últimos ${facts.days} dias, não fez chamadas nesse horário da semana.`;
    case 'short_calls':
      return `Das ${facts.answered} chamadas atendidas em 15 minutos, ${share(facts.share)} duraram até 6 segundos. O normal da conta é ${share(facts.usualShare)}.`;
    case 'answer_rate':
      return `Das ${facts.ended} chamadas encerradas em 15 minutos, ${share(facts.share)} foram atendidas. O normal da conta é ${share(facts.usualShare)}.`;
    case 'new_network':
      return `Telefones conectaram a partir da rede ${facts.network}, que nenhum telefone da conta usou nos últimos 90 dias. Ramais: ${listed('pt-BR', facts.extensions)}.`;
  }
}

function inEnglish(facts: Facts): string {
  const [money, share] = [moneyIn('en'), (value: number) => percent('en', value)];
  switch (facts.kind) {
    case 'spend_velocity':
      return `The account spent ${money(facts.spentMicros)} in 15 minutes. Its highest hour of the last ${facts.days} days was ${money(facts.highestHourMicros)}.`;
    case 'new_destinations':
      return `The account placed ${facts.calls} calls in 15 minutes to numbers beginning with ${listed('en', facts.prefixes)}, at up to ${money(facts.highestMinuteMicros)} per minute. It has not called these destinations in 90 days and usually pays ${money(facts.usualMinuteMicros)} per minute.`;
    case 'outside_hours':
      return `The account placed ${facts.calls} calls in 15 minutes at an unusual time (${hourOfWeek('en', facts.hourOfWeek)}). In the last ${facts.days} days it placed none at this time of the week.`;
    case 'short_calls':
      return `Of ${facts.answered} answered calls in 15 minutes, ${share(facts.share)} lasted up to 6 seconds. Usually it is ${share(facts.usualShare)}.`;
    case 'answer_rate':
      return `Of ${facts.ended} calls that ended in 15 minutes, ${share(facts.share)} were answered. Usually it is ${share(facts.usualShare)}.`;
    case 'new_network':
      return `Phones connected from the network ${facts.network}, which no phone of the account has used in the last 90 days. Extensions: ${listed('en', facts.extensions)}.`;
  }
}

const moneyIn =
  (locale: Locale) =>
  (micros: number): string =>
    reais(locale, reaisFromMicros(micros));
