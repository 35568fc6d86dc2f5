import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import { mentionOf, type Person } from '../../../platform/erased.ts';
import type { Availability, Presence } from './availability.ts';

export async function findAvailability(tx: Tx, accountId: number, userId: number): Promise<Availability> {
  return await selectAvailability(tx, accountId, userId).executeTakeFirstOrThrow();
}

/** Returns the availability and locks the user. */
export async function lockAvailability(tx: Tx, accountId: number, userId: number): Promise<Availability> {
  return await selectAvailability(tx, accountId, userId).forUpdate().executeTakeFirstOrThrow();
}

const selectAvailability = (tx: Tx, accountId: number, userId: number) =>
  tx
    .selectFrom('users')
    .select(['availability as status', 'availability_reason as reason', 'availability_since as since'])
    .$narrowType<{ status: Availability['status'] }>()
    .where('account_id', '=', accountId)
    .where('id', '=', userId);

export async function saveAvailability(
  tx: Tx,
  accountId: number,
  userId: number,
  { status, reason, since }: Availability,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ availability: status, availability_reason: reason, availability_since: since })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
}

/** Clears the reasons that mention the person. */
export async function eraseReasons(tx: Tx, accountId: number, person: Person): Promise<void> {
  await tx
    .updateTable('users')
    .set({ availability_reason: null })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`availability_reason ~* ${mentionOf(person)}`)
    .execute();
}

/** People listed in the order of their uuids, which is that of their creation. */
export interface PresenceQuery {
  accountId: number;
  /** The only user to list; undefined lists all. */
  userId: number | undefined;
  after: string | undefined;
  limit: number;
  at: Date;
}

/** More are not shown of one person. */
const maxOfPerson = 20;

/**
 * Returns people with their phones and running calls. Reads the running calls of the account, the extensions of the
 * listed people and their registrations, and no ended call.
 */
export async function findPresence(
  tx: Tx,
  { accountId, userId, after, limit, at }: PresenceQuery,
): Promise<Presence[]> {
  const query = prepared<Presence>`
    with people as materialized (
      select u.id, u.uuid, u.name, u.availability, u.availability_reason, u.availability_since
        from users u
       where u.account_id = ${accountId} and (${userId ?? null}::bigint is null or u.id = ${userId ?? null})
         and (${after ?? null}::uuid is null or u.uuid > ${after ?? null})
       order by u.uuid limit ${limit}
    ),
    phones as materialized (
      select e.user_id, e.ramal, p.extension_id is not null as registered
        from extensions e
        left join extension_presence p on p.extension_id = e.id and p.expires_at > ${at}
       where e.account_id = ${accountId} and e.user_id in (select id from people)
    ),
    running as materialized (
      select l.call_id, l.kind, l.state, l.requested_at, l.answered_at, l.order_data->>'ramal' as ramal,
             l.order_data->>'destination' as destination, l.order_data->>'callerId' as caller
        from live_calls l
       where l.account_id = ${accountId} and l.kind <> 'code' and l.state <> 'queued'
    ),
    parts as (
      select r.call_id, r.ramal, case r.kind when 'inbound' then 'inbound' when 'internal' then 'internal' else 'outbound' end as direction,
             case r.kind when 'inbound' then r.caller else r.destination end as number, r.state, r.requested_at, r.answered_at
        from running r
      union all
      select r.call_id, r.destination, 'internal', r.ramal, r.state, r.requested_at, r.answered_at
        from running r where r.kind = 'internal'
    )
    select people.uuid, people.name, people.availability as status, people.availability_reason as reason,
           people.availability_since as since,
           coalesce((select json_agg(own.ramal order by own.ramal) from
             (select ramal from phones where user_id = people.id order by ramal limit ${maxOfPerson}) own), '[]') as extensions,
           exists (select from phones where user_id = people.id and registered) as "isRegistered",
           coalesce((select json_agg(json_build_object('id', own.call_id, 'direction', own.direction, 'number', own.number,
               'status', own.state, 'startedAt', own.requested_at, 'answeredAt', own.answered_at)) from
             (select parts.call_id, parts.direction, parts.number, parts.state, parts.requested_at, parts.answered_at
                from phones join parts on parts.ramal = phones.ramal where phones.user_id = people.id
               order by parts.answered_at nulls last, parts.requested_at limit ${maxOfPerson}) own), '[]') as calls
      from people order by people.uuid`;
  return await executePrepared(tx, query);
}
