-- Reserves a slot for a new call before it is written, or returns the limit that refuses it: calls per second
-- ("rate") or concurrent calls ("concurrency"). The counter row is locked first, so that an account's calls are
-- counted one after the other. If `at` is slightly behind the counter's second (clock skew), the call counts in that
-- later second. For inbound calls max_per_second is null: they count as concurrent calls but use no rate slots, which
-- outside callers could exhaust.
-- requires: platform/current_account
CREATE OR REPLACE FUNCTION reserve_call_slot(at timestamptz, max_per_second integer, max_concurrent integer) RETURNS text
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  account bigint := current_account();
  this_second timestamptz := date_trunc('second', at);
  turns integer := CASE WHEN max_per_second IS NULL THEN 0 ELSE 1 END;
  taken_now integer;
  running bigint;
BEGIN
  INSERT INTO call_turns AS t (account_id, second, taken) VALUES (account, this_second, turns)
    ON CONFLICT (account_id) DO UPDATE SET
      second = CASE WHEN t.second BETWEEN this_second AND this_second + interval '5 s' THEN t.second ELSE this_second END,
      taken = CASE WHEN t.second BETWEEN this_second AND this_second + interval '5 s' THEN t.taken + turns ELSE turns END
    RETURNING taken INTO taken_now;
  IF taken_now > max_per_second THEN RETURN 'rate'; END IF;
  SELECT count(*) INTO running FROM live_calls l WHERE l.account_id = account;
  -- Without a cap the limit is the number of extensions, at least 10. Extensions are counted only above 10.
  IF running >= coalesce(max_concurrent, 10)
     AND (max_concurrent IS NOT NULL OR running >= (SELECT count(*) FROM extensions e WHERE e.account_id = account))
  THEN RETURN 'concurrency'; END IF;
  RETURN 'taken';
END
$$;
REVOKE ALL ON FUNCTION reserve_call_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reserve_call_slot TO disca_service;
