-- The former deletion of events row by row, which release 0.1 calls until it returns fewer than `most`. Drops whole days.
-- requires: events/drop_event_days
CREATE OR REPLACE FUNCTION sweep_events(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s'
AS $$
BEGIN
  PERFORM drop_event_days((before AT TIME ZONE 'UTC')::date);
  RETURN 0;
END
$$;
REVOKE ALL ON FUNCTION sweep_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_events TO disca_service;
