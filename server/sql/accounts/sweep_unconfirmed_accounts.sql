-- Deletes up to `most` accounts that were never confirmed and returns how many. Accounts with a ledger stay, because
-- ledger rows cannot be deleted.
CREATE OR REPLACE FUNCTION sweep_unconfirmed_accounts(created_before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM accounts WHERE id IN (
    SELECT a.id FROM accounts a
     WHERE a.status = 'pending' AND a.created_at < created_before
       AND NOT EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = a.id)
     LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_unconfirmed_accounts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_unconfirmed_accounts TO disca_service;
