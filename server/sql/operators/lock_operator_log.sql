-- Makes acts wait for each other until the transaction ends: a limit is checked against all entries before.
CREATE OR REPLACE FUNCTION lock_operator_log() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM FROM operator_log_head FOR UPDATE;
END
$$;
REVOKE ALL ON FUNCTION lock_operator_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_operator_log TO disca_operator;
