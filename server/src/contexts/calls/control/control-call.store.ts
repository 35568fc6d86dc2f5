import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { Command } from './control-call.ts';
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

type Written =
  | { outcome: 'ended' | 'not_answered' | 'unavailable' }
  | { outcome: 'accepted'; node: string; onHold: boolean; isDone: boolean; legs: ShownLeg[] };

/** Writes what the command wants, or decides why not, in one statement. */
export async function writeCommand(
  tx: Tx,
  accountId: number,
  { callId, command, letter, at }: { callId: string; command: Command; letter: string; at: Date },
): Promise<Written> {
  const request = { call_id: callId, command, by: letter, at, leg_a: uuidv7(at), leg_b: uuidv7(at) };
  const query = prepared<Written>`
    select outcome, node, on_hold as "onHold", is_done as "isDone", legs
      from control_call(${accountId}, ${JSON.stringify(request)})`;
  const [row] = await executePrepared(tx, query);
  if (!row) throw new Error('control_call returned no row.');
  return row;
}
