-- Edges of the previous release call this instead of check_in. Returns a number because Kamailio's driver does not
-- support void.
CREATE OR REPLACE FUNCTION edge.announce(edge_id integer, address varchar) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  -- An edge that announced this address before has been replaced by this one.
  DELETE FROM edge.edges e WHERE e.sip_address = address AND e.id <> edge_id;
  INSERT INTO edge.edges (id, sip_address, seen_at, signs) VALUES (edge_id, address, now(), false)
    ON CONFLICT (id) DO UPDATE
       SET sip_address = EXCLUDED.sip_address, seen_at = EXCLUDED.seen_at, signs = EXCLUDED.signs, digest_keys = NULL;
  RETURN edge_id;
END
$$;
REVOKE ALL ON FUNCTION edge.announce FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.announce TO disca_edge;
