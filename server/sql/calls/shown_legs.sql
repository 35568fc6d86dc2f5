-- Returns the legs of a running call as the API shows them, and whether the engine has done everything that was asked.
CREATE OR REPLACE FUNCTION shown_legs(of_account bigint, of_call uuid, OUT is_done boolean, OUT legs jsonb)
  LANGUAGE sql STABLE
AS $$
  SELECT coalesce(bool_and(g.state = 'ended' OR (g.state = 'answered' AND g.place = g.wanted AND g.is_muted = g.wants_mute)), true),
         coalesce(jsonb_agg(jsonb_build_object('leg', g.letter, 'role', g.role, 'number', g.number, 'state', g.state,
           'on_hold', g.state = 'answered' AND g.place = 'music', 'muted', g.is_muted,
           'answered_at', g.answered_at, 'ended_at', g.ended_at) ORDER BY g.letter), '[]')
    FROM live_legs g WHERE g.account_id = of_account AND g.call_id = of_call;
$$;
REVOKE ALL ON FUNCTION shown_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shown_legs TO disca_service, disca_operator;
