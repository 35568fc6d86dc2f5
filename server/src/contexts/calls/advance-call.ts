import { type Database, inAccount } from '../../platform/db/database.ts';
import type { CallState } from './call.rules.ts';
import { comesBefore, renewAt } from './call.rules.ts';
import { moveCall } from './call.store.ts';
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

/** Takes a step that the engine reported. Undefined when the call was there already, has ended, or the lease is over. */
export async function advanceCall(
  db: Database,
  lease: Lease,
  call: LiveCall,
  { to, at, onNode }: Step,
): Promise<LiveCall | undefined> {
  const answer =
    to === 'answered' && onNode !== undefined
      ? { answeredOnNode: onNode, answeredAt: at, renewAt: renewAt(at, call.fundedSeconds) }
      : {};
  const moved = await inAccount(db, call.accountId, (tx) =>
    moveCall(tx, lease, {
      callId: call.callId,
      accountId: call.accountId,
      from: comesBefore(to),
      to,
      at,
      event: eventOf[to],
      ...answer,
    }),
  );
  return moved ? { ...call, ...answer, state: to } : undefined;
}
