-- Returns stored recordings after `after_id` whose file is not encrypted.
CREATE OR REPLACE FUNCTION find_unencrypted_recordings(after_id uuid, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.call_id > after_id AND r.state = 'stored' AND r.object_key LIKE '%.wav' ORDER BY r.call_id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_unencrypted_recordings FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_unencrypted_recordings TO disca_service;
