import { uuidv7 } from '../../src/platform/ids.ts';
import type { TestAccount } from '../harness/people.ts';

export interface CallRow {
  id: string;
  startedAt: Date;
  status: 'queued' | 'ringing' | 'dialing' | 'answered' | 'ended';
  from: string;
  to: string;
  email: string;
  firstName: string;
  lastName: string;
  bina: string | null;
  /** Seconds of talk; 0 is a call that was not answered. */
  duration: number;
  hangupCause: string;
  endedBy: 'extension' | 'destination' | 'system';
  priceMicros: { minute: number; call: number } | null;
  recorded: boolean;
  metadata: Record<string, unknown>;
}

/** Whoever writes past row-level security. */
interface Owner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Calls as call control leaves them behind, of which each differs from a plain one as told. */
export async function insertCalls(
  database: Owner,
  { id: accountId, domain }: Pick<TestAccount, 'id' | 'domain'>,
  calls: (Partial<CallRow> & { startedAt: Date })[],
): Promise<string[]> {
  const rows = calls.map((call) => rowOf(accountId, domain, whole(call)));
  await database.query(
    `insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
       email, first_name, last_name, bina, recorded, duration, billed_duration, hangup_cause, ended_by,
       minute_price_micros, call_price_micros, metadata, timeline)
     select r.id, r.account_id, r.domain, 'test', 'outbound', r.status, r.started_at, r.answered_at, r.ended_at, r."from",
            r."to", r.email, r.first_name, r.last_name, r.bina, r.recorded, r.duration, r.billed_duration, r.hangup_cause,
            r.ended_by, r.minute_price_micros, r.call_price_micros, r.metadata, r.timeline
       from jsonb_populate_recordset(null::calls, $1) r`,
    [JSON.stringify(rows)],
  );
  const ids = rows.map(({ id }) => id);
  await database.query(
    `insert into call_pairs (account_id, pair, id)
     select account_id, hashtextextended(key || '=' || value::text, 0), id from calls, jsonb_each(metadata)
      where id = any($1) and jsonb_typeof(value) in ('string', 'number', 'boolean')`,
    [ids],
  );
  return ids;
}

const whole = (call: Partial<CallRow> & { startedAt: Date }): CallRow => ({
  id: uuidv7(call.startedAt),
  status: 'ended',
  from: '1000',
  to: '5511987654321',
  email: 'ana@empresa.test',
  firstName: 'Ana',
  lastName: 'Souza',
  bina: '551133334444',
  duration: 42,
  hangupCause: 'NORMAL_CLEARING',
  endedBy: 'destination',
  priceMicros: { minute: 120_000, call: 84_000 },
  recorded: false,
  metadata: {},
  ...call,
});

function rowOf(accountId: number, domain: string, call: CallRow) {
  const after = (seconds: number) => new Date(call.startedAt.getTime() + seconds * 1000).toISOString();
  const isEnded = call.status === 'ended';
  const isAnswered = call.status === 'answered' || (isEnded && call.duration > 0);
  return {
    id: call.id,
    account_id: accountId,
    domain,
    status: call.status,
    started_at: after(0),
    answered_at: isAnswered ? after(10) : null,
    ended_at: isEnded ? after(10 + call.duration) : null,
    from: call.from,
    to: call.to,
    email: call.email,
    first_name: call.firstName,
    last_name: call.lastName,
    bina: call.bina,
    recorded: call.recorded,
    duration: isEnded ? call.duration : 0,
    billed_duration: isEnded ? call.duration : null,
    hangup_cause: isEnded ? call.hangupCause : null,
    ended_by: isEnded ? call.endedBy : null,
    minute_price_micros: isEnded ? (call.priceMicros?.minute ?? null) : null,
    call_price_micros: isEnded ? (call.priceMicros?.call ?? null) : null,
    metadata: call.metadata,
    timeline: [
      { at: after(0), what: 'queued' },
      ...(isAnswered ? [{ at: after(10), what: 'answered' }] : []),
      ...(isEnded ? [{ at: after(10 + call.duration), what: 'ended', cause: call.hangupCause }] : []),
    ],
  };
}

/** The recording of a call, as the context of recordings keeps it. */
export const insertRecording = (
  database: Owner,
  accountId: number,
  callId: string,
  state: 'expected' | 'stored' | 'absent' | 'removed' = 'stored',
) =>
  database.query(
    `insert into recordings (call_id, account_id, state, expected_at, object_key, bytes, sha256, stored_at, expires_at,
       removed_at)
     values ($1::uuid, $2, $3, now(), $1::text, 1, decode(repeat('00', 32), 'hex'), now(), now() + interval '90 days',
       case when $3 = 'removed' then now() end)`,
    [callId, accountId, state],
  );
