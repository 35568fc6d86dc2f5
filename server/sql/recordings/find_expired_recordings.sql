-- Returns recordings whose files have passed their retention or belong to an erased person.
CREATE OR REPLACE FUNCTION find_expired_recordings(at timestamptz, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.may_have_file AND r.expires_at <= at ORDER BY r.expires_at LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_expired_recordings FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_expired_recordings TO disca_service;
