-- Counts a running call less, for releases that end a call with finish_call.
-- requires: platform/current_account
CREATE OR REPLACE FUNCTION release_call_slot(of_book text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE ledger_balances b SET running_calls = greatest(b.running_calls - 1, 0)
   WHERE b.account_id = current_account() AND b.book = of_book;
END
$$;
REVOKE ALL ON FUNCTION release_call_slot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION release_call_slot TO disca_service;
