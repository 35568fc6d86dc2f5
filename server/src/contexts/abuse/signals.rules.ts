import type { Traffic, TrafficHistory } from '../calls/index.ts';

/**
 * What can look like abuse of an account, and what is then done unless the operator chose otherwise; docs/operate/secure.md
 * explains each.
 */
export const signalActions = {
  spend_velocity: 'suspend',
  new_destinations: 'suspend',
  outside_hours: 'alert',
  short_calls: 'alert',
  answer_rate: 'alert',
  new_network: 'alert',
} as const satisfies Record<string, SignalAction>;

export type SignalKind = keyof typeof signalActions;
export type SignalAction = 'alert' | 'suspend';
export const signalKinds = Object.keys(signalActions) as [SignalKind, ...SignalKind[]];

export interface Signal {
  kind: SignalKind;
  explanation: string;
  /** Running calls that are part of it. */
  running: string[];
}

interface Observed {
  traffic: Traffic;
  history: TrafficHistory;
  /** Prefixes that the account has not called in 90 days. */
  newPrefixes: ReadonlySet<string>;
  hourOfWeek: number;
}

/** Accounts with less history are not judged: everything is new to them. Their caps and budgets limit what they can lose. */
const leastDays = 7;
const leastCalls = 50;
const leastDaysForHours = 14;

const reaisInMicros = 1_000_000;
const leastSpentMicros = 10 * reaisInMicros;
const expensiveMicros = reaisInMicros / 2;

export function signalsOf(observed: Observed): Signal[] {
  const { days, calls } = observed.history;
  if (days < leastDays || calls < leastCalls) return [];
  return [
    spendVelocity(observed),
    newDestinations(observed),
    outsideHours(observed),
    shortCalls(observed),
    answerRate(observed),
  ].filter((signal) => signal !== undefined);
}

function spendVelocity({ traffic, history }: Observed): Signal | undefined {
  const limit = Math.max(leastSpentMicros, 3 * history.highestHourMicros);
  if (traffic.spentMicros <= limit) return undefined;
  return {
    kind: 'spend_velocity',
    explanation: `${reais(traffic.spentMicros)} spent in 15 minutes; the highest hour of the last ${history.days} days was ${reais(history.highestHourMicros)}.`,
    running: traffic.destinations.flatMap(({ running }) => running),
  };
}

function newDestinations({ traffic, history, newPrefixes }: Observed): Signal | undefined {
  const usualMicros =
    history.talkSeconds === 0 ? 0 : Math.round((history.spentMicros * 60) / history.talkSeconds);
  const limit = Math.max(expensiveMicros, 3 * usualMicros);
  const suspicious = traffic.destinations.filter(
    ({ prefix, minutePriceMicros }) => newPrefixes.has(prefix) && (minutePriceMicros ?? 0) >= limit,
  );
  const calls = suspicious.reduce((sum, destination) => sum + destination.calls, 0);
  if (calls < 3) return undefined;
  const prices = suspicious.map(({ minutePriceMicros }) => minutePriceMicros ?? 0);
  return {
    kind: 'new_destinations',
    explanation: `${calls} calls in 15 minutes to numbers beginning with ${suspicious.map(({ prefix }) => prefix).join(', ')}, at up to ${reais(Math.max(...prices))} per minute; the account has not called these in 90 days and usually pays ${reais(usualMicros)} per minute.`,
    running: suspicious.flatMap(({ running }) => running),
  };
}

function outsideHours({ traffic, history, hourOfWeek }: Observed): Signal | undefined {
  if (history.days < leastDaysForHours || traffic.calls < 5) return undefined;
  const hours = [hourOfWeek - 1, hourOfWeek, hourOfWeek + 1].map((hour) => (hour + 168) % 168);
  if (hours.some((hour) => (history.byHourOfWeek[hour] ?? 0) > 0)) return undefined;
  return {
    kind: 'outside_hours',
    explanation: `${traffic.calls} calls in 15 minutes at ${weekTime(hourOfWeek)}; there was none at this time of the week in the last ${history.days} days.`,
    running: [],
  };
}

function shortCalls({ traffic, history }: Observed): Signal | undefined {
  if (traffic.answered < 50) return undefined;
  const [now, usual] = [traffic.short / traffic.answered, history.short / Math.max(1, history.answered)];
  if (now <= 0.8 || usual > now / 2) return undefined;
  return {
    kind: 'short_calls',
    explanation: `${percent(now)} of ${traffic.answered} answered calls in 15 minutes lasted up to 6 s; usually ${percent(usual)}.`,
    running: [],
  };
}

function answerRate({ traffic, history }: Observed): Signal | undefined {
  if (traffic.ended < 50) return undefined;
  const [now, usual] = [traffic.answered / traffic.ended, history.answered / history.calls];
  if (usual < 0.2 || now >= usual / 4) return undefined;
  return {
    kind: 'answer_rate',
    explanation: `${percent(now)} of ${traffic.ended} calls in 15 minutes were answered; usually ${percent(usual)}.`,
    running: [],
  };
}

const reais = (micros: number): string => `R$ ${(micros / reaisInMicros).toFixed(2)}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekTime = (hour: number): string => `${hour % 24}:00 on a ${weekdays[Math.floor(hour / 24)]}`;
