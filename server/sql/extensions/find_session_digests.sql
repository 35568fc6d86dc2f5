-- Returns phone sessions after `after_id` whose HA1 is not stored as it should be; see find_digests.
CREATE OR REPLACE FUNCTION find_session_digests(key_id text, with_plain boolean, after_id uuid, most integer)
  RETURNS TABLE (account_id bigint, id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT s.account_id, s.id FROM phone_sessions s
    WHERE s.id > after_id
      AND (s.ha1_sealed IS NULL OR split_part(s.ha1_sealed, '.', 1) <> key_id OR (s.ha1 IS NOT NULL) <> with_plain)
    ORDER BY s.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_session_digests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session_digests TO disca_service;
