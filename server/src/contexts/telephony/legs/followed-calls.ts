import { setTimeout as sleep } from 'node:timers/promises';
import { firstLegId, type LegCounts, type LiveCall, type RunningLeg, type Step } from '../../calls/index.ts';
import type { Place } from '../ports.ts';
import type { AudioWatch } from './audio.rules.ts';
import type { SourceWatch } from './media-source.rules.ts';

export interface ReportedStep extends Step {
  /** The node's clock must be read again to know the time of the step on ours. */
  isDoubtful?: boolean;
}

/** A call that this process follows on a node. */
export interface FollowedCall {
  call: LiveCall;
  /** Reported steps that are not written yet. */
  pendingSteps: ReportedStep[];
  /** When the engine was last known to have the call. */
  aliveAt: Date;
  /** Whether the engine has shown on this connection that it has the call. It then reports the call's end as well. */
  isConfirmed: boolean;
  /** Since when the engine no longer lists the call, without having reported its end. */
  missingSince: Date | undefined;
  /** The legs of a call that has had a command, as last read; empty for other calls. */
  legs: RunningLeg[];
  /** The last move of a leg that was requested and not reported yet, by the letter of the leg. */
  moves: Map<string, { to: Place; atMs: number }>;
  /** Since when the engine no longer lists a leg, by its letter. */
  missingLegs: Map<string, Date>;
  /** The letter of the leg whose recorder writes the recording. */
  recordedBy: string;
  /** Whether its commands will be carried out after other work for the call. */
  isControlQueued: boolean;
  /** What is known about the call's audio, from its answer on. */
  audio?: AudioWatch;
  /** What is known about where the call's audio comes from. */
  source?: SourceWatch;
  /** The same for extensions that have joined it, by the letters of their legs. */
  addedSources: Map<string, SourceWatch>;
  /** What the engine counted in the dialled leg, once that has ended. */
  secondLeg?: LegCounts;
}

/** Returns the channels to hang up in order to end the call: the first leg, or every leg after a command. */
export const channelsOf = ({ call, legs }: FollowedCall): string[] => [
  ...new Set([
    firstLegId(call),
    ...legs.flatMap(({ state, engineLeg }) => (state === 'ended' || engineLeg === null ? [] : [engineLeg])),
  ]),
];

export interface FollowedCalls {
  readonly size: number;
  get(callId: string): FollowedCall | undefined;
  /** The call that started with this leg. */
  ofLeg(leg: string): FollowedCall | undefined;
  all(): FollowedCall[];
  add(call: LiveCall, aliveAt: Date): FollowedCall;
  remove(callId: string): void;
  /** Runs the work after all earlier work for the same call. Retried until it succeeds or `isOver`. */
  enqueue(callId: string, work: () => Promise<unknown>): void;
  /** Resolves when no work is left. */
  idle(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** A few minutes; after that the call is ended by its detail record or the reconciler. */
const maxAttempts = 120;

/** Tracks the node's calls and writes the events of each call in order; calls do not wait for each other. */
export function createFollowedCalls(
  isOver: () => boolean,
  onFailure: (error: unknown, callId: string) => void,
): FollowedCalls {
  const followed = new Map<string, FollowedCall>();
  const callIds = new Map<string, string>();
  const chains = new Map<string, Promise<void>>();

  const persist = async (callId: string, work: () => Promise<unknown>): Promise<void> => {
    for (let attempt = 0; attempt < maxAttempts && !isOver(); attempt += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if (attempt % 10 === 0) onFailure(error, callId);
        await sleep(Math.min(firstPauseMs * 2 ** attempt, longestPauseMs));
      }
    }
  };

  return {
    get size() {
      return followed.size;
    },
    get: (callId) => followed.get(callId),
    ofLeg: (leg) => followed.get(callIds.get(leg) ?? ''),
    all: () => [...followed.values()],
    add(call, aliveAt) {
      const fresh: FollowedCall = {
        call,
        pendingSteps: [],
        aliveAt,
        isConfirmed: false,
        missingSince: undefined,
        legs: [],
        moves: new Map(),
        missingLegs: new Map(),
        addedSources: new Map(),
        recordedBy: 'a',
        isControlQueued: false,
      };
      followed.set(call.callId, fresh);
      callIds.set(firstLegId(call), call.callId);
      return fresh;
    },
    remove(callId) {
      const entry = followed.get(callId);
      if (entry) callIds.delete(firstLegId(entry.call));
      followed.delete(callId);
    },
    enqueue(callId, work) {
      const chain = (chains.get(callId) ?? Promise.resolve()).then(() => persist(callId, work));
      chains.set(callId, chain);
      void chain.then(() => {
        if (chains.get(callId) === chain) chains.delete(callId);
      });
    },
    async idle() {
      while (chains.size > 0) await Promise.all(chains.values());
    },
  };
}
