-- Returns the further legs of calls, for contexts that have no access to them: the ledger names legs by their ids.
CREATE OR REPLACE FUNCTION legs_of_calls(of_account bigint, of_calls uuid[]) RETURNS TABLE (call_id uuid, leg_id uuid)
  LANGUAGE sql STABLE
AS $$
  SELECT k.call_id, k.id FROM leg_calls k WHERE k.account_id = of_account AND k.call_id = ANY (of_calls) ORDER BY k.id;
$$;
REVOKE ALL ON FUNCTION legs_of_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION legs_of_calls TO disca_service;
