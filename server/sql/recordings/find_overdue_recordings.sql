-- Returns recordings expected so long ago that they will not arrive. The sweep marks each one as absent in its own
-- account.
CREATE OR REPLACE FUNCTION find_overdue_recordings(expected_before timestamptz, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.state = 'expected' AND r.expected_at <= expected_before ORDER BY r.expected_at LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_overdue_recordings FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_overdue_recordings TO disca_service;
