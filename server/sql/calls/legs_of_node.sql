-- Returns the legs of a node's calls that had commands, also those that have ended while their call continues.
CREATE OR REPLACE FUNCTION legs_of_node(node_name text) RETURNS SETOF live_legs
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_legs g WHERE g.node = node_name ORDER BY g.call_id, g.letter; END $$;
REVOKE ALL ON FUNCTION legs_of_node FROM PUBLIC;
GRANT EXECUTE ON FUNCTION legs_of_node TO disca_service;
