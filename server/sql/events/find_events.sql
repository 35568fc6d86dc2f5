-- Returns the events with these ids. The ids are part of the statement, so that only the partitions of their days are
-- planned and locked: a cached plan would lock all partitions of the log.
CREATE OR REPLACE FUNCTION find_events(wanted uuid[]) RETURNS SETOF events
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  -- An empty list would exclude no partition.
  IF cardinality(wanted) > 0 THEN
    RETURN QUERY EXECUTE format('SELECT * FROM events e WHERE e.id = ANY (%L::uuid[])', wanted);
  END IF;
END
$$;
REVOKE ALL ON FUNCTION find_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_events TO disca_service;
