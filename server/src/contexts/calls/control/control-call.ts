import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { callsFollowedBy } from '../../../platform/visibility.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import type { NamedCall } from '../call.store.ts';
import type { WakeVoice } from '../call.ts';
import { type ShownLeg, writeCommand } from './control-call.store.ts';
import { findControllable } from './find-controllable.ts';

export interface ControlCallDeps {
  db: Database;
  clock: Clock;
  wakeVoice: WakeVoice;
}

export type Command = 'hold' | 'unhold' | 'mute' | 'unmute';

/** The party of the record that a command acts for. */
export type ActingParty = 'from' | 'to';

export interface ControlledCall {
  callId: string;
  /** Whether the engine has done everything that was asked. */
  isDone: boolean;
  onHold: boolean;
  legs: ShownLeg[];
}

/**
 * Writes what a command wants of a running call and wakes its node, which does it. Repeating a command changes nothing. The
 * command acts for the leg of the call's extension; a supervisor may name the party.
 */
export async function controlCall(
  deps: ControlCallDeps,
  caller: Caller,
  id: string,
  command: Command,
  by: ActingParty | undefined,
): Promise<ControlledCall> {
  const { accountId } = caller;
  const at = deps.clock.now();
  const { callId, written } = await inAccount(deps.db, accountId, async (tx) => {
    const call = await findControllable(tx, caller, id);
    const letter = actingLetter(caller, await ownLetter(tx, caller, call, at), by);
    if (call.isEnded) throw callEnded();
    return {
      callId: call.callId,
      written: await writeCommand(tx, accountId, { callId: call.callId, command, letter, at }),
    };
  });
  switch (written.outcome) {
    case 'ended':
      throw callEnded();
    case 'not_answered':
      throw new Refusal('CALL_NOT_ANSWERED', 'This call has no two parties that talk. Wait for its answer.');
    case 'unavailable':
      throw new Refusal('SERVICE_UNAVAILABLE', 'The media node of this call cannot control calls yet.', {
        retryAfterSeconds,
      });
    case 'accepted':
      deps.wakeVoice('control', written.node);
      return { callId, isDone: written.isDone, onHold: written.onHold, legs: written.legs };
  }
}

/** Nodes are upgraded within minutes; a call on an older one may last longer. */
const retryAfterSeconds = 60;

const callEnded = (): Refusal =>
  new Refusal('CALL_ENDED', 'The call has ended, or the party has left it. Nothing was changed.');

type Letter = 'a' | 'b';

/** Returns the leg of the extension; of an internal call, that of the called one only if just that is the caller's own. */
async function ownLetter(
  tx: Tx,
  { accountId, userId }: Caller,
  { callType, to, extensionUser }: NamedCall,
  at: Date,
): Promise<Letter> {
  if (callType === 'inbound') return 'b';
  if (callType === 'outbound' || extensionUser === userId) return 'a';
  const called = await findCallingExtension(tx, accountId, to, at);
  return called?.userId === userId ? 'b' : 'a';
}

/** Returns the leg that acts: the own one, or that of the party that a supervisor names. */
function actingLetter(caller: Caller, own: Letter, by: ActingParty | undefined): Letter {
  const named = by === undefined ? own : letterOf[by];
  if (named !== own && callsFollowedBy(caller) !== undefined) {
    throw new Refusal('ACCESS_DENIED', 'Only a supervisor can act for the other party.');
  }
  return named;
}

const letterOf = { from: 'a', to: 'b' } as const;
