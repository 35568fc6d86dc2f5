import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import type { OwnerQuery } from '../../harness/fixtures/billing-rows.ts';
import type { Engines } from '../../harness/voice/engines.ts';

/** The final record of a call. */
export interface CallRecord {
  id: string;
  accountId: number;
  /** The media node that carried it. */
  node: string | null;
  extensionId: number | null;
  status: string;
  answeredAtMs: number | null;
  endedAtMs: number | null;
  duration: number;
  priceMicros: number;
  cause: string | null;
  hangupEvents: number;
  pricedEvents: number;
  /** Every INVITE that arrived for the call. */
  atPhone: SimulatedCall[];
  atCarrier: SimulatedCall[];
}

export async function readRecords({
  query,
  engines,
}: {
  query: OwnerQuery;
  engines: Pick<Engines, 'simulator'>;
}): Promise<CallRecord[]> {
  const rows = await query(
    `select c.id, c.account_id, c.node, c.extension_id, c.status, extract(epoch from c.answered_at)::float8 * 1000 as answered_at,
            extract(epoch from c.ended_at)::float8 * 1000 as ended_at, c.duration, c.hangup_cause,
            coalesce(c.call_price_micros, 0) as price,
            count(*) filter (where e.type = 'channel-hangup')::int as hangups,
            count(*) filter (where e.type = 'call-priced')::int as priced
       from calls c left join recorded_events e on e.account_id = c.account_id and e.subject_id = c.id::text
      group by c.id order by c.id`,
  );
  const atPhone = Map.groupBy(engines.simulator.phoneCalls(), ({ callId }) => callId);
  const atCarrier = Map.groupBy(engines.simulator.carrierCalls(), ({ callId }) => callId);
  return rows.map((row) => ({
    id: row.id,
    accountId: Number(row.account_id),
    node: row.node,
    extensionId: row.extension_id,
    status: row.status,
    answeredAtMs: row.answered_at,
    endedAtMs: row.ended_at,
    duration: row.duration,
    priceMicros: Number(row.price),
    cause: row.hangup_cause,
    hangupEvents: row.hangups,
    pricedEvents: row.priced,
    atPhone: atPhone.get(row.id) ?? [],
    atCarrier: atCarrier.get(row.id) ?? [],
  }));
}
