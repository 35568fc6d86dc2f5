-- Holds the indexing of calls until the end of the transaction, after steps in progress: a step that read a call before
-- its erasure could write erased words after it.
CREATE OR REPLACE FUNCTION hold_call_indexing() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM FROM call_indexing p ORDER BY p.pass FOR UPDATE;
END
$$;
REVOKE ALL ON FUNCTION hold_call_indexing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_call_indexing TO disca_service, disca_operator;
