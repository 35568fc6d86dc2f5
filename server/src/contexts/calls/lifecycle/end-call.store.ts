import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared, type Statement } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { objectKeyOf } from '../../recordings/index.ts';
import { moment } from '../call.store.ts';
import type { LiveCall } from '../call.ts';
import type { Ending } from './end.rules.ts';

export interface CallEnd extends Ending {
  answeredAt: Date | null;
  endedAt: Date;
}

type Row = { isEnded: boolean };

/**
 * Settles the call, completes its record and publishes its end, in one statement and its own transaction. Returns false
 * if the live call is no longer as given.
 */
export const writeEnd = async (db: Database, call: LiveCall, end: CallEnd): Promise<boolean> =>
  isEnded(await queryPrepared(db, endStatement(call, end)));

/** Like `writeEnd`, in a transaction that has locked the call. */
export const writeEndIn = async (tx: Tx, call: LiveCall, end: CallEnd): Promise<boolean> =>
  isEnded(await executePrepared(tx, endStatement(call, end)));

const isEnded = ([row]: Row[]): boolean => row?.isEnded ?? false;

/** Sets the account before it calls the function, because row-level security applies to it. */
function endStatement(call: LiveCall, end: CallEnd): Statement<Row> {
  const { accountId, callId, node } = call;
  const { endedAt, hangupCause, endedBy, seconds } = end;
  const isRecorded = call.order.record && seconds > 0;
  const finish = {
    call_id: callId,
    state: call.state,
    node,
    funded_seconds: call.fundedSeconds,
    known_answered_on_node: call.answeredOnNode,
    known_answered_at: call.answeredAt,
    hangup_asked_at: call.hangupAskedAt,
    engine_lost_at: call.engineLostAt,
    answered_at: end.answeredAt,
    ended_at: endedAt,
    duration: seconds,
    hangup_cause: hangupCause,
    ended_by: endedBy,
    moment: moment(endedAt, 'ended', { cause: hangupCause, by: endedBy }),
    transaction_id: uuidv7(endedAt),
    hangup_event: uuidv7(endedAt),
    price_event: uuidv7(endedAt),
    recording_key: isRecorded ? objectKeyOf(accountId, callId, endedAt) : null,
  };
  return prepared<Row>`
    select end_call(entered::bigint, ${JSON.stringify(finish)}) as "isEnded"
      from set_config('app.account_id', ${String(accountId)}, true) as entered`;
}
