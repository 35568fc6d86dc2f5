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
  facts: SignalFacts;
  /** Running calls that are part of it. */
  running: string[];
}

/** What was noticed, in the last 15 minutes unless stated otherwise. `explain.rules.ts` and the mail put it in words. */
export type SignalFacts =
  | { kind: 'spend_velocity'; spentMicros: number; highestHourMicros: number; days: number }
  | {
      kind: 'new_destinations';
      calls: number;
      prefixes: string[];
      highestMinuteMicros: number;
      usualMinuteMicros: number;
    }
  /** `hourOfWeek` counts from Monday at midnight, in the account's time zone. */
  | { kind: 'outside_hours'; calls: number; hourOfWeek: number; days: number }
  /** Shares are from 0 to 1. */
  | { kind: 'short_calls'; answered: number; share: number; usualShare: number }
  | { kind: 'answer_rate'; ended: number; share: number; usualShare: number }
  | { kind: 'new_network'; network: string; extensions: string[] };

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
  const { spentMicros } = traffic;
  const { highestHourMicros, days } = history;
  if (spentMicros <= Math.max(leastSpentMicros, 3 * highestHourMicros)) return undefined;
  return {
    facts: { kind: 'spend_velocity', spentMicros, highestHourMicros, days },
    running: traffic.destinations.flatMap(({ running }) => running),
  };
}

function newDestinations({ traffic, history, newPrefixes }: Observed): Signal | undefined {
  const usualMinuteMicros =
    history.talkSeconds === 0 ? 0 : Math.round((history.spentMicros * 60) / history.talkSeconds);
  const limit = Math.max(expensiveMicros, 3 * usualMinuteMicros);
  const suspicious = traffic.destinations.filter(
    ({ prefix, minutePriceMicros }) => newPrefixes.has(prefix) && (minutePriceMicros ?? 0) >= limit,
  );
  const calls = suspicious.reduce((sum, destination) => sum + destination.calls, 0);
  if (calls < 3) return undefined;
  return {
    facts: {
      kind: 'new_destinations',
      calls,
      prefixes: suspicious.map(({ prefix }) => prefix),
      highestMinuteMicros: Math.max(...suspicious.map(({ minutePriceMicros }) => minutePriceMicros ?? 0)),
      usualMinuteMicros,
    },
    running: suspicious.flatMap(({ running }) => running),
  };
}

function outsideHours({ traffic, history, hourOfWeek }: Observed): Signal | undefined {
  const { calls } = traffic;
  if (history.days < leastDaysForHours || calls < 5) return undefined;
  const hours = [hourOfWeek - 1, hourOfWeek, hourOfWeek + 1].map((hour) => (hour + 168) % 168);
  if (hours.some((hour) => (history.byHourOfWeek[hour] ?? 0) > 0)) return undefined;
  return { facts: { kind: 'outside_hours', calls, hourOfWeek, days: history.days }, running: [] };
}

function shortCalls({ traffic, history }: Observed): Signal | undefined {
  const { answered } = traffic;
  if (answered < 50) return undefined;
  const [share, usualShare] = [traffic.short / answered, history.short / Math.max(1, history.answered)];
  if (share <= 0.8 || usualShare > share / 2) return undefined;
  return { facts: { kind: 'short_calls', answered, share, usualShare }, running: [] };
}

function answerRate({ traffic, history }: Observed): Signal | undefined {
  const { ended } = traffic;
  if (ended < 50) return undefined;
  const [share, usualShare] = [traffic.answered / ended, history.answered / history.calls];
  if (usualShare < 0.2 || share >= usualShare / 4) return undefined;
  return { facts: { kind: 'answer_rate', ended, share, usualShare }, running: [] };
}
