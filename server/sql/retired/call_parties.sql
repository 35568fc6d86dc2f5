-- The former statement_parties, which release 0.9 calls. Returns who called whom in these calls, for contexts that have no access to calls. With `of_user`, only the user's own
-- calls are returned.
-- requires: calls/owns_call
CREATE OR REPLACE FUNCTION call_parties(of_account bigint, of_calls uuid[], of_user bigint)
  RETURNS TABLE (call_id uuid, from_number text, to_number text, first_name text, last_name text, duration integer)
  LANGUAGE sql STABLE
AS $$
  SELECT c.id, c."from", c."to", c.first_name, c.last_name, c.duration FROM calls c
   WHERE c.account_id = of_account AND c.id = ANY(of_calls)
     AND (of_user IS NULL OR coalesce(owns_call(of_user, c.user_id, c.requested_by), false));
$$;
REVOKE ALL ON FUNCTION call_parties FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_parties TO disca_service;
