import { inBatchesPerKey } from '../../../platform/batch.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { perDatabase } from '../../../platform/db/per-database.ts';
import { executePrepared, prepared, queryPreparedIn, type Statement } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { objectKeyOf } from '../../recordings/index.ts';
import { moment } from '../call.store.ts';
import type { LiveCall } from '../call.ts';
import type { Ending } from './end.rules.ts';
import type { CallQuality } from './quality.rules.ts';

export interface CallEnd extends Ending {
  answeredAt: Date | null;
  endedAt: Date;
  quality?: CallQuality | null;
}

/**
 * Settles the call, completes its record and publishes its end, in one statement and its own transaction. Returns false
 * if the live call is no longer as given. Calls of an account that end meanwhile are ended together by the next statement.
 */
export const writeEnd = (db: Database, call: LiveCall, end: CallEnd): Promise<boolean> =>
  ends(db)(call.accountId, finishOf(call, end));

/** Bounds the time for which a batch locks the account's balance. */
const maxBatch = 32;

const ends = perDatabase((db) =>
  inBatchesPerKey(
    async (accountId: number, finishes: Finish[]) =>
      areEnded(await queryPreparedIn(db, accountId, endStatement(accountId, finishes))),
    maxBatch,
  ),
);

/** Like `writeEnd`, in a transaction that has locked the call. */
export async function writeEndIn(tx: Tx, call: LiveCall, end: CallEnd): Promise<boolean> {
  const statement = endStatement(call.accountId, [finishOf(call, end)]);
  return areEnded(await executePrepared(tx, statement))[0] ?? false;
}

interface Row {
  areEnded: boolean[];
}

const areEnded = ([row]: Row[]): boolean[] => row?.areEnded ?? [];

/** Sets the account before it calls the function, because row-level security applies to it. */
const endStatement = (accountId: number, finishes: Finish[]): Statement<Row> =>
  prepared<Row>`
    select end_calls(entered::bigint, ${JSON.stringify(finishes)}) as "areEnded"
      from set_config('app.account_id', ${String(accountId)}, true) as entered`;

type Finish = ReturnType<typeof finishOf>;

/** Returns the parameters of `end_call`, by their names there. */
function finishOf(call: LiveCall, end: CallEnd) {
  const { accountId, callId, node } = call;
  const { endedAt, hangupCause, endedBy, seconds } = end;
  const isRecorded = call.order.record && seconds > 0;
  return {
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
    quality: end.quality,
    recording_key: isRecorded ? objectKeyOf(accountId, callId, endedAt) : null,
    ...(call.answeredAt === null && end.answeredAt !== null && unreportedAnswer(end.answeredAt)),
  };
}

/** The answer of a call whose engine reported it with the end only. */
const unreportedAnswer = (at: Date) => ({ answer_event: uuidv7(at), answer_moment: moment(at, 'answered') });
