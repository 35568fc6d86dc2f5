-- Marks the live calls of a node whose engine has restarted: they ended no later than `alive_at`.
CREATE OR REPLACE FUNCTION lose_calls_of_node(node_name text, alive_at timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE live_calls l SET engine_lost_at = alive_at WHERE l.node = node_name AND l.engine_lost_at IS NULL;
END
$$;
REVOKE ALL ON FUNCTION lose_calls_of_node FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lose_calls_of_node TO disca_service;
