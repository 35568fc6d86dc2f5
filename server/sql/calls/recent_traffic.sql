-- Returns the outbound calls of the last 15 minutes, at most 5,000 each, of the live accounts that have one running now
-- and may call. A running call counts with what it has cost so far.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION recent_traffic(at timestamptz)
  RETURNS TABLE (account_id bigint, timezone text, calls integer, ended integer, answered integer, short integer,
    spent_micros bigint, destinations jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT a.id, a.timezone, t.calls, t.ended, t.answered, t.short, t.spent_micros, t.destinations
    FROM (SELECT DISTINCT l.account_id FROM live_calls l WHERE l.book = 'live' AND l.kind IN ('click', 'dialled')) active
    JOIN account_info a ON a.id = active.account_id
    LEFT JOIN account_caps s ON s.account_id = a.id
   CROSS JOIN LATERAL (
     SELECT sum(d.calls)::integer AS calls, sum(d.ended)::integer AS ended, sum(d.answered)::integer AS answered,
            sum(d.short)::integer AS short, sum(d.spent_micros)::bigint AS spent_micros,
            jsonb_agg(jsonb_build_object('prefix', d.prefix, 'calls', d.calls, 'minutePriceMicros', d.minute_price,
              'running', d.running)) AS destinations
       FROM (
         SELECT left(c."to", 4) AS prefix, count(*) AS calls,
                count(*) FILTER (WHERE c.status = 'ended') AS ended,
                count(*) FILTER (WHERE c.status = 'ended' AND c.answered_at IS NOT NULL) AS answered,
                count(*) FILTER (WHERE c.status = 'ended' AND c.answered_at IS NOT NULL AND c.duration <= 6) AS short,
                sum(CASE WHEN c.status = 'ended' THEN coalesce(c.call_price_micros, 0)
                         ELSE coalesce(h.price_per_minute_micros
                                * greatest(extract(epoch FROM at - l.answered_at), h.minimum_seconds) / 60, 0)
                    END) AS spent_micros,
                max(coalesce(h.price_per_minute_micros, c.minute_price_micros)) AS minute_price,
                coalesce(jsonb_agg(c.id) FILTER (WHERE l.call_id IS NOT NULL), '[]') AS running
           FROM (SELECT * FROM calls c
                  WHERE c.account_id = a.id AND c.id >= uuid_floor(at - interval '15 minutes')
                  ORDER BY c.id DESC LIMIT 5000) c
           LEFT JOIN live_calls l ON l.call_id = c.id
           LEFT JOIN call_holds h ON h.call_id = l.call_id
          WHERE c.call_type = 'outbound' GROUP BY 1) d) t
   WHERE s.suspended_at IS NULL AND t.calls > 0
$$;
REVOKE ALL ON FUNCTION recent_traffic FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recent_traffic TO disca_service;
