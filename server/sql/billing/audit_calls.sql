-- Compares the holds of the given calls with their ledger entries, recomputes billed seconds and prices, and returns
-- every difference.
-- requires: billing/call_price_micros
CREATE OR REPLACE FUNCTION audit_calls(of_account bigint, of_calls text[])
  RETURNS TABLE ("check" text, subject text, expected bigint, found bigint)
  LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH holds AS (
    -- Holds, with billable seconds recomputed. Entries may name a call that is not a UUID.
    SELECT s.call, h.*, CASE
        WHEN h.state = 'expired' OR h.used_seconds <= h.free_seconds THEN 0
        WHEN h.used_seconds <= h.minimum_seconds THEN least(h.minimum_seconds, h.funded_seconds)
        ELSE least(h.funded_seconds, h.minimum_seconds
          + ceil((h.used_seconds - h.minimum_seconds)::numeric / h.step_seconds) * h.step_seconds)
        END::bigint AS billable_seconds
      FROM unnest(of_calls) AS s (call)
      LEFT JOIN call_holds h ON h.account_id = of_account
       AND h.call_id = CASE WHEN s.call ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN s.call::uuid END
  ), priced AS (
    -- Holds against the entries of their calls.
    SELECT h.call, h.call_id IS NULL AS is_unknown, e.entries,
           coalesce(h.held_micros, 0) AS held, coalesce(e.held, 0) AS held_sum,
           coalesce(h.price_micros, 0) AS price, coalesce(e.revenue, 0) AS revenue
      FROM holds h
     CROSS JOIN LATERAL (
       SELECT sum(t.held_micros)::bigint AS held, sum(t.revenue_micros)::bigint AS revenue, count(*) AS entries
         FROM ledger_transactions t
        WHERE t.account_id = of_account AND t.subject_id = h.call AND t.kind IN ('hold', 'release', 'call')) AS e
  )
  SELECT 'entries of a call', call, held, held_sum FROM priced WHERE held <> held_sum
  UNION ALL
  SELECT 'entries of an unknown call', call, 0, entries FROM priced WHERE is_unknown
  UNION ALL
  SELECT 'price of a call', call, price, revenue FROM priced WHERE price <> revenue
  UNION ALL
  SELECT 'funding of a call', call, call_price_micros(funded_seconds, price_per_minute_micros), held_micros
    FROM holds WHERE state = 'open' AND held_micros <> call_price_micros(funded_seconds, price_per_minute_micros)
  UNION ALL
  SELECT 'billed seconds of a call', call, billable_seconds, billed_seconds
    FROM holds WHERE state <> 'open' AND billed_seconds IS DISTINCT FROM billable_seconds
  UNION ALL
  SELECT 'rating of a call', call, call_price_micros(billed_seconds, price_per_minute_micros), price_micros
    FROM holds
   WHERE state <> 'open' AND price_micros IS DISTINCT FROM call_price_micros(billed_seconds, price_per_minute_micros)
  ORDER BY 1, 2;
END;
REVOKE ALL ON FUNCTION audit_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_calls TO disca_service, disca_operator;
