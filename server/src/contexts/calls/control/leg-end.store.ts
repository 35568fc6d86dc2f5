import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPreparedIn } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { objectKeyOf } from '../../recordings/index.ts';
import type { EndedBy, LiveCall } from '../call.ts';
import { fundingOf, type LegEnding } from './leg-end.rules.ts';

export type WrittenEnd =
  | { outcome: 'unknown' | 'changed' | 'leg' }
  | { outcome: 'last'; hangupCause: string; endedBy: EndedBy; seconds: number; endedAt: Date };

/** Settles the legs and writes their ends and, after the last one, that of the call, in one statement. */
export async function writeLegEnds(db: Database, call: LiveCall, endings: LegEnding[]): Promise<WrittenEnd> {
  const { accountId } = call;
  const query = prepared<WrittenEnd>`
    select outcome, hangup_cause as "hangupCause", ended_by as "endedBy", duration as seconds, ended_at as "endedAt"
      from set_config('app.account_id', ${String(accountId)}, true) as entered,
           end_leg(entered::bigint, ${JSON.stringify(finishOf(call, endings))})`;
  const [row] = await queryPreparedIn(db, accountId, () => query);
  if (!row) throw new Error('end_leg returned no row.');
  return row;
}

/** Returns the parameters of `end_leg`, by their names there. */
function finishOf(call: LiveCall, endings: LegEnding[]) {
  const { accountId, callId } = call;
  const endedAt = new Date(Math.max(...endings.map((ending) => ending.endedAt.getTime())));
  return {
    call_id: callId,
    hangup_asked_at: call.hangupAskedAt,
    engine_lost_at: call.engineLostAt,
    ends: endings.map(({ leg, ...ending }) => ({
      letter: leg.letter,
      state: leg.state,
      funded_seconds: fundingOf(call, leg),
      known_answered_on_node: leg.answeredOnNode,
      ended_on_node: ending.endedOnNode,
      ended_at: ending.endedAt,
      duration: ending.seconds,
      hangup_cause: ending.hangupCause,
      ended_by: ending.endedBy,
      transaction_id: uuidv7(ending.endedAt),
    })),
    hangup_event: uuidv7(endedAt),
    price_event: uuidv7(endedAt),
    slot_transaction: uuidv7(endedAt),
    recording_key: call.order.record ? objectKeyOf(accountId, callId, endedAt) : null,
  };
}
