import { reaisFromMicros } from '../../platform/money.ts';
import type { SignalFacts } from './signals.rules.ts';

/** Returns a signal in words, for the operator and the audit log. */
export function explain(facts: SignalFacts): string {
  switch (facts.kind) {
    case 'spend_velocity':
      return `${reais(facts.spentMicros)} spent in 15 minutes; the highest hour of the last ${facts.days} days was ${reais(facts.highestHourMicros)}.`;
    case 'new_destinations':
      return `${facts.calls} calls in 15 minutes to numbers beginning with ${facts.prefixes.join(', ')}, at up to ${reais(facts.highestMinuteMicros)} per minute; the account has not called these in 90 days and usually pays ${reais(facts.usualMinuteMicros)} per minute.`;
    case 'outside_hours':
      return `${facts.calls} calls in 15 minutes at ${weekTime(facts.hourOfWeek)}; there was none at this time of the week in the last ${facts.days} days.`;
    case 'short_calls':
      return `${percent(facts.share)} of ${facts.answered} answered calls in 15 minutes lasted up to 6 s; usually ${percent(facts.usualShare)}.`;
    case 'answer_rate':
      return `${percent(facts.share)} of ${facts.ended} calls in 15 minutes were answered; usually ${percent(facts.usualShare)}.`;
    case 'new_network':
      return `Phones of the extensions ${facts.extensions.join(', ')} logged in from the network ${facts.network}, which no phone of the account has used in 90 days.`;
  }
}

const reais = (micros: number): string => `R$ ${reaisFromMicros(micros).toFixed(2)}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekTime = (hour: number): string => `${hour % 24}:00 on a ${weekdays[Math.floor(hour / 24)]}`;
