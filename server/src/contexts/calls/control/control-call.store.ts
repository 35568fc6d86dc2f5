import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { Book } from '../../billing/index.ts';
import type { Unplaced } from '../placing/place-call.store.ts';
import type { LegState, RunningLeg } from './leg.ts';

/** A leg as `shown_legs` returns it. */
export interface ShownLeg {
  leg: string;
  role: RunningLeg['role'];
  number: string;
  state: LegState;
  on_hold: boolean;
  muted: boolean;
  answered_at: string | null;
  ended_at: string | null;
}

/** The legs of a call, and whether the engine has done everything that was asked. */
interface ShownLegs {
  onHold: boolean;
  isDone: boolean;
  legs: ShownLeg[];
}

/** Why the state of a call refuses a command. */
export type UnwrittenState =
  | 'ended'
  | 'not_answered'
  | 'transferring'
  | 'no_transfer'
  | 'parties'
  | 'unavailable';

export type Written =
  | { outcome: UnwrittenState }
  | ({ outcome: 'accepted'; node: string } & ShownLegs &
      (AddedFunding | { book: null; availableMicros: null; becameLow: null }));

/** The hold of an added leg to a number outside. */
interface AddedFunding {
  book: Book;
  availableMicros: number;
  becameLow: boolean;
}

/** Why a party is not added, besides the state of its call. */
export type NotAdded =
  | { outcome: 'bina'; bina: string; callsPerSecond: number | null }
  | { outcome: 'party' }
  | { outcome: Exclude<Unplaced['outcome'], 'bina'>; bina: null; callsPerSecond: number | null };

interface CommandFields {
  callId: string;
  letter: string;
  command: string;
  at: Date;
}

/** The fields of a command that adds a party, by their names in `command_call`. */
export type PartyFields = Record<string, unknown> & { leg_id: string; to: string; purpose: string };

/** Writes what the command wants, or decides why not, in one statement. */
export const writeCommand = (tx: Tx, accountId: number, command: CommandFields): Promise<Written> =>
  write<Written>(tx, accountId, command, {});

/** Like `writeCommand`, for a command that adds a party. */
export const writeParty = (
  tx: Tx,
  accountId: number,
  command: CommandFields,
  party: PartyFields,
): Promise<Written | NotAdded> => write<Written | NotAdded>(tx, accountId, command, party);

async function write<Result extends object>(
  tx: Tx,
  accountId: number,
  { callId, command, letter, at }: CommandFields,
  more: object,
): Promise<Result> {
  const request = { ...more, call_id: callId, command, by: letter, at, leg_a: uuidv7(at), leg_b: uuidv7(at) };
  const query = prepared<Result>`
    select outcome, node, on_hold as "onHold", is_done as "isDone", legs, book, bina,
           available_micros as "availableMicros", became_low as "becameLow", calls_per_second as "callsPerSecond"
      from command_call(${accountId}, ${JSON.stringify(request)})`;
  const [row] = await executePrepared(tx, query);
  if (!row) throw new Error('command_call returned no row.');
  return row;
}

/** Returns the legs of a call; none if it has ended. */
export async function findShownLegs(tx: Tx, accountId: number, callId: string): Promise<ShownLegs> {
  const query = prepared<ShownLegs>`
    select s.is_done as "isDone", s.legs,
           coalesce((select l.on_hold from live_calls l where l.account_id = ${accountId} and l.call_id = ${callId}), false)
             as "onHold"
      from shown_legs(${accountId}, ${callId}) s`;
  const [row] = await executePrepared(tx, query);
  if (!row) throw new Error('shown_legs returned no row.');
  return row;
}
