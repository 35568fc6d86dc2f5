-- Records an edge's private address and the ids of the keys with which it opens HA1s, separated by commas (- if it has
-- none), and returns the key with which it signs who calls.
CREATE OR REPLACE FUNCTION edge.join_edges(edge_id integer, address varchar, key_ids varchar)
  RETURNS TABLE (number integer, key varchar)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  -- An edge that had this address before has been replaced by this one.
  DELETE FROM edge.edges e WHERE e.sip_address = address AND e.id <> edge_id;
  INSERT INTO edge.edges (id, sip_address, seen_at, signs, digest_keys)
    VALUES (edge_id, address, now(), true, nullif(key_ids, '-'))
    ON CONFLICT (id) DO UPDATE
       SET sip_address = EXCLUDED.sip_address, seen_at = EXCLUDED.seen_at, signs = EXCLUDED.signs,
           digest_keys = EXCLUDED.digest_keys;
  RETURN QUERY
    SELECT k.number, k.key::varchar FROM edge.identity_keys k WHERE k.used_from <= now()
     ORDER BY k.number DESC LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION edge.join_edges FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.join_edges TO disca_edge;
