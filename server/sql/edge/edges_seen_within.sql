-- Returns the edges that have announced themselves within the last `seconds`, by the database's clock.
CREATE OR REPLACE FUNCTION edges_seen_within(seconds integer) RETURNS TABLE (id integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT e.id FROM edge.edges e WHERE e.seen_at > now() - make_interval(secs => seconds)
$$;
REVOKE ALL ON FUNCTION edges_seen_within FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edges_seen_within TO disca_service;
