-- Locks holds of the account, before the first of them is settled: another transaction may have locked one of them and wait
-- for the account's balance.
-- requires: platform/current_account
CREATE OR REPLACE FUNCTION lock_holds(of_calls uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM FROM call_holds h
    WHERE h.account_id = current_account() AND h.call_id = ANY (of_calls) ORDER BY h.call_id FOR UPDATE;
END
$$;
REVOKE ALL ON FUNCTION lock_holds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_holds TO disca_service, disca_operator;
