-- Reserves the slot of a new call, or returns the limit that refuses it, for releases that place a call in several
-- statements and roll back after a refusal. Counts where hold_for_call counts, so that both releases share the limits.
-- Inbound calls, which have no max_per_second, are not counted.
-- requires: platform/current_account
CREATE OR REPLACE FUNCTION reserve_call_slot(at timestamptz, max_per_second integer, max_concurrent integer) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  account bigint := current_account();
  mode text := (SELECT a.mode FROM account_info a WHERE a.id = account);
  this_second timestamptz := date_trunc('second', at);
  turns integer := CASE WHEN max_per_second IS NULL THEN 0 ELSE 1 END;
  taken_now integer;
  running bigint;
BEGIN
  INSERT INTO ledger_balances AS b (account_id, book, slot_second, slots_taken, running_calls)
      VALUES (account, mode, this_second, turns, turns)
    ON CONFLICT (account_id, book) DO UPDATE SET
      slot_second = CASE WHEN b.slot_second BETWEEN this_second AND this_second + interval '5 s' THEN b.slot_second ELSE this_second END,
      slots_taken = CASE WHEN b.slot_second BETWEEN this_second AND this_second + interval '5 s' THEN b.slots_taken ELSE 0 END + turns,
      running_calls = b.running_calls + turns
    RETURNING b.slots_taken INTO taken_now;
  IF taken_now > max_per_second THEN RETURN 'rate'; END IF;
  -- The running calls before this one.
  SELECT sum(b.running_calls) - turns INTO running FROM ledger_balances b WHERE b.account_id = account;
  IF running >= coalesce(max_concurrent, 10)
     AND (max_concurrent IS NOT NULL OR running >= (SELECT count(*) FROM extensions e WHERE e.account_id = account))
  THEN RETURN 'concurrency'; END IF;
  RETURN 'taken';
END
$$;
REVOKE ALL ON FUNCTION reserve_call_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reserve_call_slot TO disca_service;
