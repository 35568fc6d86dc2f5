import { inBatches } from '../../platform/batch.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CallState } from './call.rules.ts';
import { comesBefore, renewAt } from './call.rules.ts';
import { type Move, moveCalls } from './call.store.ts';
import type { Lease, LiveCall } from './call.ts';

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

/** Writes a move; false when the call was there already, has ended, or the lease is over. */
export type MoveCall = (move: Move) => Promise<boolean>;

/** Moves of many calls are written together, whosever they are. */
export const createMover = (db: Database, lease: Lease): MoveCall =>
  inBatches((moves) => moveCalls(db, lease, moves), mostMoves);

const mostMoves = 100;

/** Takes a step that the engine reported. Undefined when the call was there already, has ended, or the lease is over. */
export async function advanceCall(
  moveCall: MoveCall,
  call: LiveCall,
  { to, at, onNode }: Step,
): Promise<LiveCall | undefined> {
  const answer =
    to === 'answered' && onNode !== undefined
      ? { answeredOnNode: onNode, answeredAt: at, renewAt: renewAt(at, call.fundedSeconds) }
      : {};
  const move = { callId: call.callId, from: comesBefore(to), to, at, event: eventOf[to], ...answer };
  return (await moveCall(move)) ? { ...call, ...answer, state: to } : undefined;
}
