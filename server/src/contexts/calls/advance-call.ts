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

/** Takes a step that the engine reported. False when the call was there already, has ended, or the lease is over. */
export async function advanceCall(db: Database, lease: Lease, call: LiveCall, step: Step): Promise<boolean> {
  return await inAccount(db, call.accountId, (tx) =>
    moveCall(tx, lease, {
      callId: call.callId,
      accountId: call.accountId,
      from: comesBefore(step.to),
      to: step.to,
      at: step.at,
      event: eventOf[step.to],
      ...(step.onNode === undefined ? {} : { answeredOnNode: step.onNode }),
      ...(step.to === 'answered' ? { renewAt: renewAt(step.at, call.fundedSeconds) } : {}),
    }),
  );
}
