import { inBatches } from '../../../platform/batch.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { CallState } from '../call.rules.ts';
import { comesBefore, renewAt } from '../call.rules.ts';
import { type Move, moveCalls } from '../call.store.ts';
import type { Lease, LiveCall } from '../call.ts';

/** The event published for each state; `dialing` is internal. */
const eventOf: Record<Exclude<CallState, 'queued'>, string | null> = {
  ringing: 'channel-ringing',
  dialing: null,
  answered: 'channel-answer',
};

export interface Step {
  to: 'ringing' | 'dialing' | 'answered';
  at: Date;
  /** Time on the node's clock, for an answer. */
  onNode?: number;
}

/**
 * Writes the moves of a call. Returns false if the call is already in that state or has ended, or if the lease is no
 * longer held.
 */
export type MoveCall = (moves: Move[]) => Promise<boolean>;

/** Batches the moves of many calls into one statement. */
export const createMover = (db: Database, lease: Lease): MoveCall =>
  inBatches((moves) => moveCalls(db, lease, moves), maxCalls);

const maxCalls = 100;

/**
 * Applies steps that the engine reported. Returns undefined if the call is already in that state or has ended, or if
 * the lease is no longer held.
 */
export async function advanceCall(
  moveCall: MoveCall,
  call: LiveCall,
  steps: Step[],
): Promise<LiveCall | undefined> {
  const moves = movesOf(call, steps);
  if (!(await moveCall(moves))) return undefined;
  const { at: answeredAt, answeredOnNode, renewAt: next } = moves.at(-1) ?? {};
  const state = moves.at(-1)?.to ?? call.state;
  if (answeredAt === undefined || answeredOnNode === undefined || next === undefined)
    return { ...call, state };
  return { ...call, state, answeredOnNode, answeredAt, renewAt: next };
}

/** Merges a step that publishes no event into the next step, if that one is already known. */
function movesOf(call: LiveCall, steps: Step[]): Move[] {
  const moves: Move[] = [];
  let passes: Move['passes'] = [];
  for (const [index, { to, at, onNode }] of steps.entries()) {
    passes = [...passes, { state: to, at }];
    const event = eventOf[to];
    if (event === null && index < steps.length - 1) continue;
    const answer =
      to === 'answered' && onNode !== undefined
        ? { answeredOnNode: onNode, renewAt: renewAt(at, call.fundedSeconds) }
        : {};
    moves.push({ callId: call.callId, from: comesBefore(to), passes, to, at, event, ...answer });
    passes = [];
  }
  return moves;
}
