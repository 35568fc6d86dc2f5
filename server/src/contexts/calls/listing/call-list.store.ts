import type { Selectable, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Calls, DB } from '../../../platform/db/schema.ts';
import { callsSeenBy, type Viewer } from '../../../platform/visibility.ts';
import { callsOf, ownColumn } from '../own-calls.store.ts';

export const callColumns = [
  'id',
  'domain',
  'call_type',
  'status',
  'started_at',
  'answered_at',
  'ended_at',
  'from',
  'to',
  'to_reversed',
  'duration',
  'billed_duration',
  'hangup_cause',
  'ended_by',
  'recorded',
  'email',
  'first_name',
  'last_name',
  'minute_price',
  'call_price',
  'metadata',
  'on_hold',
  'quality',
] as const;

export type ListedCall = Pick<
  Selectable<Calls>,
  Exclude<(typeof callColumns)[number], 'on_hold' | 'quality'>
> & {
  on_hold: boolean;
  /** The verdict only. */
  quality: string | null;
  bina: string;
  /** Whether it is the reader's own call. */
  is_own: boolean;
  timeline?: Selectable<Calls>['timeline'];
};

/** Selects the calls that the viewer sees; expensive columns only on request. */
export const selectCalls = (
  tx: Tx,
  viewer: Viewer,
  { withTimeline = false, withRecordings = false, withNotes = false } = {},
): SelectQueryBuilder<DB, 'call_records', ListedCall> =>
  tx
    .selectFrom('call_records')
    .select([...callColumns, 'user_id', 'requested_by'])
    .select((call) => sql<string>`coalesce(${call.ref('bina')}, '')`.as('bina'))
    .select(ownColumn(viewer.userId, 'call_records').as('is_own'))
    .where('account_id', '=', viewer.accountId)
    .where(callsOf(callsSeenBy(viewer), 'call_records'))
    .$if(withTimeline, (calls) => calls.select('timeline'))
    .$if(withRecordings, (calls) => calls.select(recordingOf))
    .$if(withNotes, (calls) => calls.select((['disposition', 'note', 'tags'] as const).map(noteColumn)))
    // Every column of a view counts as nullable.
    .$castTo<ListedCall>();

/** Set for calls with a link: their recording is stored or expected. */
const recordingOf = sql<string | null>`case when call_records.recorded then
  (select r.call_id::text from recordings r where r.call_id = call_records.id and r.state in ('expected', 'stored')) end`.as(
  'record_url',
);

/** Subqueries, as in `call_records`: lists keep the plans of calls. */
const noteColumn = (column: 'disposition' | 'note' | 'tags') =>
  sql<unknown>`(select ${sql.ref(`n.${column}`)} from call_notes n
    where n.account_id = call_records.account_id and n.id = call_records.id)`.as(column);

export async function findCall(tx: Tx, viewer: Viewer, id: string): Promise<ListedCall | undefined> {
  return await selectCalls(tx, viewer, { withTimeline: true }).where('id', '=', id).executeTakeFirst();
}
