import type { LiveCall } from '../../calls/index.ts';
import type { LegSource } from '../ports.ts';

/** The leg that started a call, the leg that the engine dialled, or a further leg of an extension. */
export type Side = 'first' | 'second' | 'added';

/** What is known about the legs of an answered call whose audio must come from the address of their phone. */
export interface SourceWatch {
  rounds: number;
  /** The legs to read. */
  sides: Set<Side>;
  /** The leg that the engine dialled, once read, or the further leg. */
  secondLeg: string | undefined;
}

/**
 * Rounds in which every reading is made: 6 s. The engine learns the source of a leg in the first 5 s after its session
 * description, and afterwards only when the phone sends a new one.
 */
const roundsOfLearning = 12;
/** Later, one round of this many. */
const laterEvery = 3;

const sidesOfPhones: Record<LiveCall['kind'], readonly Side[]> = {
  click: ['first'],
  dialled: ['first'],
  internal: ['first', 'second'],
  inbound: ['second'],
  code: [],
};

export const startSourceWatch = (kind: LiveCall['kind']): SourceWatch => ({
  rounds: 0,
  sides: new Set(sidesOfPhones[kind]),
  secondLeg: undefined,
});

/** Returns the watch of an extension that has joined a running call. */
export const startAddedWatch = (leg: string): SourceWatch => ({
  rounds: 0,
  sides: new Set(['added']),
  secondLeg: leg,
});

/** Counts a round, and returns whether the legs are read in it. */
export function isDue(watch: SourceWatch): boolean {
  watch.rounds += 1;
  return watch.sides.size > 0 && (watch.rounds <= roundsOfLearning || watch.rounds % laterEvery === 0);
}

/**
 * Returns whether the engine sends the audio of a leg to another address than that of its phone. The unspecified address
 * means hold. Edges set the media address of IPv4 phones only.
 */
export function isElsewhere({ audio, phone }: LegSource): boolean {
  return ipv4.test(audio) && ipv4.test(phone) && audio !== '0.0.0.0' && audio !== phone;
}

const ipv4 = /^\d+(\.\d+){3}$/;
