import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { callsFollowedBy } from '../../../platform/visibility.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import type { NamedCall } from '../call.store.ts';
import type { WakeVoice } from '../call.ts';
import { type ShownLeg, type UnwrittenState, type Written, writeCommand } from './control-call.store.ts';
import { findControllable } from './find-controllable.ts';

export interface ControlCallDeps {
  db: Database;
  clock: Clock;
  wakeVoice: WakeVoice;
}

/** Commands that add no party; `complete` and `cancel` are those of a transfer. */
export type Command = 'hold' | 'unhold' | 'mute' | 'unmute' | 'complete' | 'cancel';

/** The party of the record that a command acts for. */
export type ActingParty = 'from' | 'to';

export interface ControlledCall {
  callId: string;
  /** Whether the engine has done everything that was asked. */
  isDone: boolean;
  onHold: boolean;
  legs: ShownLeg[];
}

/** The call and the leg that a command acts for. */
export interface ActingLeg {
  callId: string;
  letter: Letter;
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
    const acting = await findActing(tx, caller, id, by, at);
    return { callId: acting.callId, written: await writeCommand(tx, accountId, { ...acting, command, at }) };
  });
  if (written.outcome !== 'accepted') throw refusalOfState(written.outcome, command);
  return done(deps, callId, written);
}

/** Wakes the node of the call. */
export function done(
  { wakeVoice }: ControlCallDeps,
  callId: string,
  { node, isDone, onHold, legs }: Extract<Written, { outcome: 'accepted' }>,
): ControlledCall {
  wakeVoice('control', node);
  return { callId, isDone, onHold, legs };
}

/** Returns the call that the caller may control and the leg that acts. Refuses what can be decided without its legs. */
export async function findActing(
  tx: Tx,
  caller: Caller,
  id: string,
  by: ActingParty | undefined,
  at: Date,
): Promise<ActingLeg> {
  const call = await findControllable(tx, caller, id);
  const letter = actingLetter(caller, await ownLetter(tx, caller, call, at), by);
  if (call.isEnded) throw refusalOfState('ended');
  return { callId: call.callId, letter };
}

/** Nodes are upgraded within minutes; a call on an older one may last longer. */
const retryAfterSeconds = 60;

/** Returns why the state of a call refuses a command. */
export function refusalOfState(state: UnwrittenState, command?: Command): Refusal {
  switch (state) {
    case 'ended':
      return new Refusal('CALL_ENDED', 'The call has ended, or the party has left it. Nothing was changed.');
    case 'not_answered':
      return new Refusal(
        'CALL_NOT_ANSWERED',
        command === 'complete'
          ? 'The called party has not answered yet. Wait for its answer, or hang up to transfer the call to it.'
          : 'This call has no two parties that talk. Wait for its answer.',
      );
    case 'transferring':
      return new Refusal('TRANSFER_IN_PROGRESS', 'A transfer is in progress. Complete or cancel it first.');
    case 'no_transfer':
      return new Refusal('NO_TRANSFER', 'There is no transfer to complete or to cancel.');
    case 'parties':
      return new Refusal('TOO_MANY_PARTIES', `A call has at most ${maxParties} parties.`);
    case 'unavailable':
      return new Refusal('SERVICE_UNAVAILABLE', 'The media node of this call cannot control calls yet.', {
        retryAfterSeconds,
      });
  }
}

/** `command_call` repeats it. */
export const maxParties = 8;

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
