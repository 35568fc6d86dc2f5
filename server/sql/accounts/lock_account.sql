-- Locks an account until the transaction ends, for decisions about all of its users.
CREATE OR REPLACE FUNCTION lock_account(of_account bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM FROM accounts a WHERE a.id = of_account FOR NO KEY UPDATE;
END
$$;
REVOKE ALL ON FUNCTION lock_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_account TO disca_service, disca_operator;
