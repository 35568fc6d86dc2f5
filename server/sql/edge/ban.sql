-- Records a ban of one edge for all edges. Bans are numbered in the order of their commits, so that an edge that has read
-- up to a number misses none.
CREATE OR REPLACE FUNCTION edge.ban(edge_id integer, of_kind varchar, of_key varchar, seconds integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  LOCK TABLE edge.bans IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO edge.bans (kind, key, until, edge_id, number)
  VALUES (of_kind, of_key, now() + make_interval(secs => seconds), edge_id, nextval('edge.ban_numbers'))
    ON CONFLICT (kind, key) DO UPDATE
       SET until = EXCLUDED.until, edge_id = EXCLUDED.edge_id, number = EXCLUDED.number;
  RETURN 1;
END
$$;
REVOKE ALL ON FUNCTION edge.ban FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.ban TO disca_edge;
