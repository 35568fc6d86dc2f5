-- Ends calls of one account in one statement, in the given order, and returns for each what end_call returns. All live
-- calls are locked before the first hold is settled: another transaction may have locked one of them and wait for the
-- account's balance.
-- requires: calls/end_call
CREATE OR REPLACE FUNCTION end_calls(of_account bigint, finishes jsonb) RETURNS boolean[]
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  finish jsonb;
  ended boolean[] := '{}';
BEGIN
  IF jsonb_array_length(finishes) > 1 THEN
    PERFORM FROM live_calls l
      WHERE l.account_id = of_account
        AND l.call_id = ANY (ARRAY(SELECT (f.value ->> 'call_id')::uuid FROM jsonb_array_elements(finishes) f))
      ORDER BY l.call_id FOR UPDATE;
  END IF;
  FOR finish IN SELECT f.value FROM jsonb_array_elements(finishes) WITH ORDINALITY f (value, position) ORDER BY f.position LOOP
    ended := ended || end_call(of_account, finish);
  END LOOP;
  RETURN ended;
END
$$;
REVOKE ALL ON FUNCTION end_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_calls TO disca_service, disca_operator;
