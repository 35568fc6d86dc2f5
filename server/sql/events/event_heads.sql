-- Returns the newest event number of each given account. One query serves all event streams of a process.
CREATE OR REPLACE FUNCTION event_heads(wanted bigint[]) RETURNS TABLE (account_id bigint, last bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT c.account_id, c.last FROM event_counters c WHERE c.account_id = ANY (wanted);
END;
REVOKE ALL ON FUNCTION event_heads FROM PUBLIC;
GRANT EXECUTE ON FUNCTION event_heads TO disca_service;
