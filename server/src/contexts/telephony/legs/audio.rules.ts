import type { AudioFault } from '../../calls/index.ts';
import type { LegTraffic } from '../ports.ts';

/** A packet counter of the engine, and how many readings in a row it has not changed. */
interface Counter {
  value: number;
  unchanged: number;
}

interface LegCounters {
  received: Counter;
  sent: Counter;
}

/** What is known about the audio of an answered call. */
export interface AudioWatch {
  /** The leg that the engine dialled, once read. */
  secondLeg: string | undefined;
  first: LegCounters | undefined;
  /** Absent if the last round did not read it. */
  second: LegCounters | undefined;
  /** Readings so far. */
  readings: number;
  isHeld: boolean;
  /** Parties whose audio was found missing, and has returned. */
  missing: Set<Sender>;
  returned: Set<Sender>;
}

/** The party whose audio is judged: that of the first leg, or of the leg that the engine dialled. */
export type Sender = 'first' | 'second';
type Reason = Exclude<AudioFault['reason'], 'other_address'>;

/** Readings without a packet after which audio is missing. A person hears a shorter gap as a dropout. */
const missingReadings = 2;

/** Readings of both legs at the start of a call: 10 s. Later readings are of the first leg only. */
const readingsOfBoth = 7;

export const startWatch = (): AudioWatch => ({
  secondLeg: undefined,
  first: undefined,
  second: undefined,
  readings: 0,
  isHeld: false,
  missing: new Set(),
  returned: new Set(),
});

/** Forgets the counters, because packets were not expected until now. */
export function restartWatch(watch: AudioWatch): void {
  watch.first = undefined;
  watch.second = undefined;
}

export function noteFirst(watch: AudioWatch, traffic: LegTraffic): void {
  watch.readings += 1;
  watch.first = next(watch.first, traffic);
}

export function noteSecond(watch: AudioWatch, traffic: LegTraffic | null): void {
  watch.second = traffic === null ? undefined : next(watch.second, traffic);
}

const next = (before: LegCounters | undefined, { received, sent }: LegTraffic): LegCounters => ({
  received: count(before?.received, received),
  sent: count(before?.sent, sent),
});

const count = (before: Counter | undefined, value: number): Counter => ({
  value,
  unchanged: before?.value === value ? before.unchanged + 1 : 0,
});

/**
 * Returns whether the second leg must be read as well. The first leg alone shows that packets arrive from its party and
 * that those of the other are sent to it. The second shows whether the engine can decode what the first party sends,
 * which depends on the codecs negotiated at the start, and why nothing is sent to the first.
 */
export function needsSecond({ first, readings, missing, returned }: AudioWatch): boolean {
  if (readings <= readingsOfBoth || missing.size > returned.size) return true;
  return first !== undefined && (first.received.unchanged > 0 || first.sent.unchanged > 0);
}

/** Returns why the audio of a party is missing; undefined if it is not, or not for long enough. */
export function missingReason({ first, second }: AudioWatch, sender: Sender): Reason | undefined {
  if (!first) return undefined;
  if (sender === 'second') {
    if (!isStalled(first.sent)) return undefined;
    return second && second.received.unchanged === 0 ? 'undecodable' : 'no_packets';
  }
  if (isStalled(first.received)) return 'no_packets';
  // Packets must still arrive: the legs are read one after the other, and audio may end in between.
  const arrives = first.received.unchanged === 0;
  return arrives && second && isStalled(second.sent) ? 'undecodable' : undefined;
}

const isStalled = ({ unchanged }: Counter): boolean => unchanged >= missingReadings;

/** Returns whether audio of the party has arrived and was sent on since the last reading. */
export function isFlowing({ first, second }: AudioWatch, sender: Sender): boolean {
  if (!first) return false;
  if (sender === 'second') return first.sent.unchanged === 0;
  return first.received.unchanged === 0 && (second === undefined || second.sent.unchanged === 0);
}

/** Returns whether nothing remains to report: each party's audio is reported missing and returned at most once. */
export const isOver = ({ returned }: AudioWatch): boolean => returned.size === senders.length;

/** Returns the parties whose audio was found missing and has not returned. */
export const missingAtEnd = ({ missing, returned }: AudioWatch): Sender[] =>
  [...missing].filter((sender) => !returned.has(sender));

export const senders: readonly Sender[] = ['first', 'second'];
