-- Returns the live calls of a node with a pending hang-up request.
CREATE OR REPLACE FUNCTION hangups_of_node(node_name text) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT l.call_id FROM live_calls l WHERE l.node = node_name AND l.hangup_asked_at IS NOT NULL;
END
$$;
REVOKE ALL ON FUNCTION hangups_of_node FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hangups_of_node TO disca_service;
