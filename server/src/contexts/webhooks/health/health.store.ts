import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Outcome } from '../ports.ts';

/** Number of an integration's newest deliveries that determine its health. */
export const maxRecent = 100;

export interface RecentDeliveries {
  integrationId: number;
  delivered: number;
  pending: number;
  failed: number;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  /** Outcome of the newest failed attempt. */
  lastFailure: Outcome | null;
  lastFailureStatus: number | null;
}

/** Summarizes the newest deliveries of integrations; omits those without any. */
export async function findRecentDeliveries(
  tx: Tx,
  accountId: number,
  integrationIds: number[],
): Promise<RecentDeliveries[]> {
  const { rows } = await sql<RecentDeliveries>`
    -- The newest deliveries of each integration.
    with recent as (
      select given.id as integration_id, d.id, d.state, d.ended_at
        from unnest(${integrationIds}::bigint[]) as given (id)
        cross join lateral (
          select * from deliveries d where d.integration_id = given.id and d.account_id = ${accountId} and not d.is_test
           order by d.id desc limit ${maxRecent}) d
    -- Their states, and the last success among them.
    ), counted as (
      select integration_id, count(*) filter (where state = 'delivered')::int as delivered,
             count(*) filter (where state = 'pending')::int as pending,
             count(*) filter (where state = 'failed')::int as failed,
             max(ended_at) filter (where state = 'delivered') as "lastDeliveredAt"
        from recent group by integration_id
    )
    select c.integration_id as "integrationId", c.delivered, c.pending, c.failed,
           coalesce(c."lastDeliveredAt", earlier_success.at) as "lastDeliveredAt",
           failure.at as "lastFailedAt", failure.outcome as "lastFailure", failure.status as "lastFailureStatus"
      from counted c
      -- The last failed attempt among them. A pending delivery that a disabled webhook ends was never sent.
      left join lateral (
        select a.at, a.outcome, a.status from recent r
          join delivery_attempts a on a.delivery_id = r.id and a.account_id = ${accountId}
         where r.integration_id = c.integration_id and a.outcome <> 'delivered'
           and (a.outcome <> 'gone' or a.status is not null)
         order by a.at desc limit 1) failure on true
      -- If none of them succeeded, the last success before the integration started to fail.
      left join integrations i on i.id = c.integration_id and i.account_id = ${accountId} and c.delivered = 0
      left join lateral (
        select max(b.ended_at) filter (where b.state = 'delivered') as at
          from (select * from deliveries d
                 where d.integration_id = i.id and d.account_id = ${accountId} and d.id < uuid_floor(i.failing_since)
                   and not d.is_test
                 order by d.id desc limit ${maxRecent}) b) earlier_success on true`.execute(tx);
  return rows;
}
