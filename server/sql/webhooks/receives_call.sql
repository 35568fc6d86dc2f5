-- Returns whether a user receives the events of a call: ADMINs receive every call, other users the calls that they made
-- or requested.
-- requires: calls/owns_call
CREATE OR REPLACE FUNCTION receives_call(of_role text, of_user bigint, call_user bigint, call_requester bigint)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN of_role = 'ADMIN' OR coalesce(owns_call(of_user, call_user, call_requester), false);
REVOKE ALL ON FUNCTION receives_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receives_call TO disca_service;
