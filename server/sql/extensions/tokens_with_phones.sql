-- Returns the tokens with an open phone session, which a login must not revoke.
CREATE OR REPLACE FUNCTION tokens_with_phones(hashes bytea[], at timestamptz) RETURNS bytea[]
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN ARRAY(
    SELECT s.token_hash FROM phone_sessions s
     WHERE s.token_hash = ANY (hashes) AND s.ended_at IS NULL AND s.expires_at > at);
END
$$;
REVOKE ALL ON FUNCTION tokens_with_phones FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tokens_with_phones TO disca_service;
