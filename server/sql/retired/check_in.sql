-- Edges of the previous release call this instead of join_edges. They have no keys for sealed HA1s.
CREATE OR REPLACE FUNCTION edge.check_in(edge_id integer, address varchar) RETURNS TABLE (number integer, key varchar)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  -- An edge that had this address before has been replaced by this one.
  DELETE FROM edge.edges e WHERE e.sip_address = address AND e.id <> edge_id;
  INSERT INTO edge.edges (id, sip_address, seen_at, signs) VALUES (edge_id, address, now(), true)
    ON CONFLICT (id) DO UPDATE
       SET sip_address = EXCLUDED.sip_address, seen_at = EXCLUDED.seen_at, signs = EXCLUDED.signs, digest_keys = NULL;
  RETURN QUERY
    SELECT k.number, k.key::varchar FROM edge.identity_keys k WHERE k.used_from <= now()
     ORDER BY k.number DESC LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION edge.check_in FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.check_in TO disca_edge;
