-- Returns open holds that were neither renewed nor settled in time. The sweep expires each in its own account.
CREATE OR REPLACE FUNCTION find_expired_holds(at timestamptz, most integer) RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT h.account_id, h.call_id FROM call_holds h
    WHERE h.state = 'open' AND h.expires_at <= at ORDER BY h.expires_at LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_expired_holds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_expired_holds TO disca_service;
