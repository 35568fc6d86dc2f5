-- Deletes the account whose sign-up with this address was never confirmed, for a person who has proved the address
-- elsewhere. An account with a ledger stays, because ledger rows cannot be deleted. Runs as the owner, to see other
-- accounts.
-- requires: access/login_of_email
CREATE OR REPLACE FUNCTION release_unconfirmed_address(of_email text, at timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM accounts a
   WHERE a.id = (SELECT l.account_id FROM login_of_email(of_email, '', at) l WHERE l.account_status = 'pending')
     AND a.status = 'pending'
     AND NOT EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = a.id);
END
$$;
REVOKE ALL ON FUNCTION release_unconfirmed_address FROM PUBLIC;
GRANT EXECUTE ON FUNCTION release_unconfirmed_address TO disca_service;
