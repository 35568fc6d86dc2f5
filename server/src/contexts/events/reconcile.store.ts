import { type RawBuilder, sql } from 'kysely';
import { type Database, enterAccount, inTransaction, type Tx } from '../../platform/db/database.ts';
import { callSteps } from '../../platform/event-types.ts';

export interface Window {
  accountId: number;
  since: Date;
  until: Date;
  /** Deliveries of events before this time have been deleted. */
  deliveriesSince: Date;
}

export interface Counts {
  calls: number;
  callsEnded: number;
  events: number;
  eventsNumbered: number;
  deliveries: number;
  deliveriesDelivered: number;
  deliveriesPending: number;
  deliveriesFailed: number;
  ledgerEntries: number;
}

export const differenceKinds = [
  'event_missing',
  'event_repeated',
  'event_without_number',
  'number_missing',
  'delivery_missing',
  'delivery_not_delivered',
  'price_differs',
  'entry_without_call',
] as const;

export interface Difference {
  kind: (typeof differenceKinds)[number];
  callId: string | null;
  eventId: string | null;
  integrationId: number | null;
  deliveryId: string | null;
  detail: string;
}

export interface Differences {
  differences: Difference[];
  counts: Partial<Record<Difference['kind'], number>>;
}

/** Runs all checks on one snapshot, so that concurrent writes are not reported as differences. */
export async function inSnapshot<T>(
  db: Database,
  accountId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await inTransaction(db, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx);
    await enterAccount(tx, accountId);
    return await work(tx);
  });
}

const callsOf = ({ accountId, since, until }: Window) => sql`
  c.account_id = ${accountId} and c.id >= uuid_floor(${since}) and c.id < uuid_floor(${until})`;
const eventsOf = ({ accountId, since, until }: Window) => sql`
  e.account_id = ${accountId} and e.occurred_at >= ${since} and e.occurred_at < ${until}`;
const deliveriesOf = (window: Window) => sql`
  deliveries d join events e on e.id = d.event_id and ${eventsOf(window)}
    where d.account_id = ${window.accountId} and d.id >= uuid_floor(${window.since})`;
const entriesOf = ({ accountId, since, until }: Window) => sql`
  t.account_id = ${accountId} and t.at >= ${since} and t.at < ${until} and t.kind in ('hold', 'release', 'call')`;

export async function countAll(tx: Tx, window: Window): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select * from
      (select count(*) as calls, count(*) filter (where c.status = 'ended') as "callsEnded"
         from calls c where ${callsOf(window)}) as calls,
      (select count(*) as events, count(e.account_sequence) as "eventsNumbered"
         from recorded_events e where ${eventsOf(window)}) as events,
      (select count(*) as deliveries, count(*) filter (where d.state = 'delivered') as "deliveriesDelivered",
              count(*) filter (where d.state = 'pending') as "deliveriesPending",
              count(*) filter (where d.state = 'failed') as "deliveriesFailed"
         from ${deliveriesOf(window)}) as deliveries,
      (select count(*) as "ledgerEntries" from ledger_transactions t where ${entriesOf(window)}) as entries`.execute(
    tx,
  );
  return rows[0] as Counts;
}

/** Returns up to `limit` differences of each kind, and the number of each. */
export async function findDifferences(tx: Tx, window: Window, limit: number): Promise<Differences> {
  const result: Differences = { differences: [], counts: {} };
  for (const kind of differenceKinds) {
    const { rows } = await sql<Omit<Difference, 'kind'> & { total: number }>`
      select f.*, count(*) over () as total from (${checks[kind](window)}) f limit ${limit}`.execute(tx);
    if (rows[0]) result.counts[kind] = rows[0].total;
    result.differences.push(...rows.map(({ total: _total, ...difference }) => ({ kind, ...difference })));
  }
  return result;
}

const noDelivery = sql`null::bigint as "integrationId", null::uuid as "deliveryId"`;

const requiredSteps = callSteps.filter((step) => step !== 'channel-ringing');

/**
 * Selects calls with wrong event counts. An ended call has exactly one event of each type: created, ended, priced, and
 * answered if it was answered. Their ids contain their times, which limits the search to the days of the call.
 */
const wrongEventCounts = (window: Window, isWrong: RawBuilder<boolean>, wording: string) => sql`
  select c.id::text as "callId", null::uuid as "eventId", ${noDelivery}, occurred.type || ${wording} as detail
    from calls c
    cross join lateral (
      select due.type, count(e.id) as times
        from unnest(${requiredSteps}::text[]) due (type)
        left join recorded_events e on e.account_id = c.account_id and e.subject_id = c.id::text and e.type = due.type
         and e.id >= uuid_floor(c.started_at - interval '1 minute')
         and e.id < uuid_floor(greatest(c.ended_at, c.answered_at, c.started_at) + interval '1 minute')
       where due.type <> 'channel-answer' or c.answered_at is not null
       group by due.type
    ) occurred
   where ${callsOf(window)} and c.status = 'ended' and ${isWrong}`;

const checks: Record<Difference['kind'], (window: Window) => RawBuilder<unknown>> = {
  event_missing: (window) => wrongEventCounts(window, sql`occurred.times = 0`, ' is missing'),
  event_repeated: (window) => wrongEventCounts(window, sql`occurred.times > 1`, ' occurs more than once'),
  event_without_number: (window) => sql`
    select null::text as "callId", e.id as "eventId", ${noDelivery}, e.type || ' of ' || e.subject_id as detail
      from event_outbox e where ${eventsOf(window)}`,
  number_missing: (window) => sql`
    select null::text as "callId", null::uuid as "eventId", ${noDelivery},
           'no event has a number after ' || n.before || ' and before ' || n.number as detail
      from (select e.account_sequence as number, lag(e.account_sequence) over (order by e.account_sequence) as before
              from events e, (select min(e.account_sequence) as first, max(e.account_sequence) as last
                                from events e where ${eventsOf(window)}) as ends
             where e.account_id = ${window.accountId} and e.account_sequence between ends.first and ends.last) n
     where n.number > n.before + 1`,
  delivery_missing: (window) => sql`
    select null::text as "callId", e.id as "eventId", i.id as "integrationId", null::uuid as "deliveryId",
           e.type || ' of ' || e.subject_id as detail
      from events e
      cross join lateral subscribers_of(e.account_id, e.type, e.subject_id) as s (id)
      join integrations i on i.account_id = ${window.accountId} and i.id = s.id and i.updated_at <= e.occurred_at
     where ${eventsOf(window)} and e.occurred_at >= ${window.deliveriesSince} and e.account_sequence is not null
       and e.type in (select unnest(w.webhook_types) from integrations w where w.account_id = ${window.accountId})
       and not exists (select from deliveries d where d.event_id = e.id and d.integration_id = i.id
                          and d.id >= uuid_floor(${window.since}))`,
  delivery_not_delivered: (window) => sql`
    select null::text as "callId", d.event_id as "eventId", d.integration_id as "integrationId", d.id as "deliveryId",
           d.type || ' is ' || d.state || ' after ' || d.attempts || ' attempts'
             || coalesce(': ' || d.last_outcome, '') as detail
      from ${deliveriesOf(window)} and d.state <> 'delivered'`,
  price_differs: (window) => sql`
    select c.id::text as "callId", null::uuid as "eventId", ${noDelivery},
           'the call costs ' || coalesce(c.call_price_micros::text, 'nothing yet, in')
             || ' micro-reais and the ledger says ' || booked.micros as detail
      from calls c
      cross join lateral (
        select coalesce(sum(t.revenue_micros), 0)::bigint as micros from ledger_transactions t
         where t.account_id = c.account_id and t.kind = 'call'
           and t.subject_id = any(c.id::text || array(
             select k.id::text from leg_calls k where k.account_id = c.account_id and k.call_id = c.id))) booked
     where ${callsOf(window)} and c.status = 'ended' and c.call_price_micros is distinct from booked.micros`,
  entry_without_call: (window) => sql`
    select t.subject_id as "callId", null::uuid as "eventId", ${noDelivery},
           'entry ' || t.number || ' of the ledger ' || t.book || ': ' || t.kind as detail
      from ledger_transactions t
     where ${entriesOf(window)} and not exists (
       select from calls c where c.account_id = t.account_id and c.id = t.subject_id::uuid)
       and not exists (
         select from leg_calls k join calls c on c.account_id = k.account_id and c.id = k.call_id
          where k.account_id = t.account_id and k.id = t.subject_id::uuid)`,
};
