import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

interface Target {
  accountId: number;
  integrationId: number;
  at: Date;
}

/** Resets a delivery to pending and due at `at`. */
const renewal = ({ at }: Target) => sql`
  set state = 'pending', round_attempts = 0, next_attempt_at = ${at}, ended_at = null`;
const isNotDue = ({ at }: Target) => sql`(d.state <> 'pending' or d.next_attempt_at > ${at})`;

/** Makes a delivery due now and restarts its retry schedule. Returns its id if it was not due already. */
export async function renewDelivery(tx: Tx, target: Target, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries d ${renewal(target)}
     where d.id = ${id} and d.account_id = ${target.accountId} and d.integration_id = ${target.integrationId}
       and ${isNotDue(target)}
    returning d.id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Returns whether the owner of an integration may receive an event with present role and permissions. */
export async function mayReceive(
  tx: Tx,
  { accountId, integrationId }: Omit<Target, 'at'>,
  { type, subjectId }: { type: string; subjectId: string },
): Promise<boolean> {
  const { rows } = await sql<{ mayReceive: boolean }>`
    select may_receive as "mayReceive" from recipient_of(${accountId}, ${integrationId}, ${type}, ${subjectId})`.execute(
    tx,
  );
  return rows[0]?.mayReceive ?? false;
}

export interface ReplayWindow {
  since: Date;
  until: Date;
  types: string[];
}

/** Returns the first and last event number of a window, and the number of events. */
export async function findNumbers(
  tx: Tx,
  accountId: number,
  { since, until, types }: ReplayWindow,
): Promise<{ first: number | null; last: number | null; count: number }> {
  const { rows } = await sql<{ first: number | null; last: number | null; count: number }>`
    select min(e.account_sequence) as first, max(e.account_sequence) as last, count(e.account_sequence) as count
      from events e
     where e.account_id = ${accountId} and e.occurred_at >= ${since} and e.occurred_at < ${until}
       and e.type = any(${types})`.execute(tx);
  return rows[0] ?? { first: null, last: null, count: 0 };
}

/**
 * Makes the next deliveries of a window due: existing ones that the owner may still receive and that did not end after
 * the replay was requested, and new ones for events that match now but had no delivery.
 */
export async function renewWindow(
  tx: Tx,
  target: Target & ReplayWindow & { askedAt: Date; after: number; last: number },
  limit: number,
): Promise<{ renewed: string[]; reached: number | null }> {
  const { accountId, integrationId, at } = target;
  const { rows } = await sql<{ renewed: string[]; reached: number | null }>`
    -- The next events of the window, by number.
    with batch as materialized (
      select e.id, e.type, e.subject_id, e.account_sequence from events e
       where e.account_id = ${accountId} and e.account_sequence > ${target.after}
         and e.account_sequence <= ${target.last} and e.occurred_at >= ${target.since}
         and e.occurred_at < ${target.until} and e.type = any(${target.types})
       order by e.account_sequence limit ${limit}
    -- Their deliveries to this integration, if any.
    ), existing as materialized (
      select d.id, d.event_id, r.may_receive
        from deliveries d join batch on batch.id = d.event_id
        left join lateral recipient_of(${accountId}, ${integrationId}, batch.type, batch.subject_id) r on true
       where d.account_id = ${accountId} and d.integration_id = ${integrationId}
         and d.id >= uuid_floor(${target.since})
    -- Those that may still be received become due, unless they are already or ended after the replay was requested.
    ), renewed as (
      update deliveries d ${renewal(target)} from existing
       where d.id = existing.id and existing.may_receive and d.account_id = ${accountId} and ${isNotDue(target)}
         and (d.ended_at is null or d.ended_at <= ${target.askedAt})
      returning d.id
    -- Events without a delivery get one if the integration subscribes to them now.
    ), created as (
      insert into deliveries (id, account_id, integration_id, event_id, type, state, created_at, next_attempt_at)
      select uuidv7_at(${at}), ${accountId}, ${integrationId}, batch.id, batch.type, 'pending', ${at}, ${at}
        from batch
       where not exists (select from existing where existing.event_id = batch.id)
         and ${integrationId} in (select subscribers_of(${accountId}, batch.type, batch.subject_id))
      returning id
    )
    select (select max(account_sequence) from batch) as reached,
           coalesce((select jsonb_agg(each.id) from (table renewed union all table created) each), '[]') as renewed`.execute(
    tx,
  );
  return rows[0] ?? { renewed: [], reached: null };
}
