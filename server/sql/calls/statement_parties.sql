-- Returns who called whom in these calls and further legs of calls, for contexts that have no access to calls. `id` is the
-- given one and `call_id` that of the call. With `of_user`, only the user's own calls are returned.
-- requires: calls/owns_call
CREATE OR REPLACE FUNCTION statement_parties(of_account bigint, of_ids uuid[], of_user bigint)
  RETURNS TABLE (
    id uuid, call_id uuid, from_number text, to_number text, first_name text, last_name text, duration integer)
  LANGUAGE sql STABLE
AS $$
  SELECT p.id, c.id, c."from", coalesce(p.number, c."to"), c.first_name, c.last_name, coalesce(p.duration, c.duration)
    FROM (
      SELECT g.id, g.id AS call_id, NULL AS number, NULL::integer AS duration FROM unnest(of_ids) AS g (id)
      UNION ALL
      -- Its legs are in live_legs until the call has ended.
      SELECT k.id, k.call_id, coalesce(l.number, e.leg ->> 'number'), coalesce(l.duration, (e.leg ->> 'duration')::integer)
        FROM leg_calls k
        LEFT JOIN live_legs l ON l.account_id = of_account AND l.id = k.id
        LEFT JOIN LATERAL (
          SELECT e.leg FROM calls c, jsonb_array_elements(c.legs) AS e (leg)
           WHERE c.account_id = of_account AND c.id = k.call_id AND e.leg ->> 'id' = k.id::text) e ON true
       WHERE k.account_id = of_account AND k.id = ANY (of_ids)) p
    JOIN calls c ON c.account_id = of_account AND c.id = p.call_id
   WHERE of_user IS NULL OR coalesce(owns_call(of_user, c.user_id, c.requested_by), false);
$$;
REVOKE ALL ON FUNCTION statement_parties FROM PUBLIC;
GRANT EXECUTE ON FUNCTION statement_parties TO disca_service;
