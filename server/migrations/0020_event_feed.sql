-- The event log for people who follow it: a cheap question after what is new, and an end to what is old.

-- The newest numbers of some accounts, in one question for everybody who waits in a process.
CREATE FUNCTION event_heads(wanted bigint[]) RETURNS TABLE (account_id bigint, last bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT c.account_id, c.last FROM event_counters c WHERE c.account_id = ANY (wanted);
END;

-- Ids begin with the time, so the oldest come first. What has no number yet was told to nobody and stays.
CREATE FUNCTION sweep_events(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  removed integer;
BEGIN
  DELETE FROM events WHERE id IN (
    SELECT e.id FROM events e
     WHERE e.id < uuid_floor(before) AND e.account_sequence IS NOT NULL ORDER BY e.id LIMIT most);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION event_heads, sweep_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION event_heads, sweep_events TO disca_service;
