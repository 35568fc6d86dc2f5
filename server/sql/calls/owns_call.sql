-- Returns whether a call is a user's own: made by an extension of the user, received by one from outside, or requested by
-- the user. An internal call belongs to the extension that made it. The one definition for lists, searches, exports,
-- summaries, events, recordings and webhooks. Inlined into the statements that use it: the two parts match the indexes
-- calls_user and calls_requester.
CREATE OR REPLACE FUNCTION owns_call(of_user bigint, call_user bigint, call_requester bigint)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN call_user = of_user OR (call_requester = of_user AND call_requester IS DISTINCT FROM call_user);
REVOKE ALL ON FUNCTION owns_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION owns_call TO disca_service;
