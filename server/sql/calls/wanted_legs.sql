-- Returns the legs of a node for which its controller has to do something: legs to dial, to move, to mute or to unmute, and
-- legs that should leave. A leg that is dialled enters its place when it answers, without the controller.
CREATE OR REPLACE FUNCTION wanted_legs(node_name text) RETURNS SETOF live_legs
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT g.* FROM live_legs g
     WHERE g.node = node_name AND g.state <> 'ended'
       AND (g.state = 'pending' OR g.wanted = 'leave' OR g.wants_mute <> g.is_muted
         OR (g.state = 'answered' AND g.wanted <> g.place))
     ORDER BY g.call_id, g.letter;
END
$$;
REVOKE ALL ON FUNCTION wanted_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wanted_legs TO disca_service;
