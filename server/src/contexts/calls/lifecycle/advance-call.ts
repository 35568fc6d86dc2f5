import { inBatches } from '../../../platform/batch.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { CallState } from '../call.rules.ts';
import { comesBefore, renewAt } from '../call.rules.ts';
import { type Move, moveCalls } from '../call.store.ts';
import type { Lease, LiveCall } from '../call.ts';

/** The event each step tells; dialling the destination is our own business. */
const eventOf: Record<Exclude<CallState, 'queued'>, string | null> = {
  ringing: 'channel-ringing',
  dialing: null,
  answered: 'channel-answer',
};

export interface Step {
  to: 'ringing' | 'dialing' | 'answered';
  at: Date;
  /** Of an answer: when, by the node's own clock. */
  onNode?: number;
}

/** Writes the moves of a call; false when it was there already, has ended, or the lease is over. */
export type MoveCall = (moves: Move[]) => Promise<boolean>;

/** Moves of many calls are written together, whosever they are. */
export const createMover = (db: Database, lease: Lease): MoveCall =>
  inBatches((moves) => moveCalls(db, lease, moves), mostCalls);

const mostCalls = 100;

/** Takes steps that the engine reported. Undefined when the call was there already, has ended, or the lease is over. */
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

/** A step that tells nobody anything is written with the next one, if that is known already. */
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
