-- Returns the live calls of a node.
CREATE OR REPLACE FUNCTION calls_of_node(node_name text) RETURNS SETOF live_calls
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_calls l WHERE l.node = node_name; END $$;
REVOKE ALL ON FUNCTION calls_of_node FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calls_of_node TO disca_service;
