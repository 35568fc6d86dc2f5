-- Returns whether a call of the account is the user's own, for contexts that have no access to calls.
-- requires: calls/owns_call
CREATE OR REPLACE FUNCTION is_call_of(of_account bigint, of_call uuid, of_user bigint) RETURNS boolean
  LANGUAGE sql STABLE
AS $$
  SELECT coalesce((SELECT owns_call(of_user, c.user_id, c.requested_by) FROM calls c
                    WHERE c.account_id = of_account AND c.id = of_call), false);
$$;
REVOKE ALL ON FUNCTION is_call_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_call_of TO disca_service;
