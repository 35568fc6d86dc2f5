-- Returns live calls that no node claimed in time, or whose node has been silent for too long.
CREATE OR REPLACE FUNCTION orphaned_calls(asked_before timestamptz, seen_before timestamptz, silent_before timestamptz, most integer)
  RETURNS TABLE (call_id uuid, account_id bigint, node text, last_seen_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT l.call_id, l.account_id, l.node, n.last_seen_at::timestamptz
      FROM live_calls l LEFT JOIN node_leases n ON n.name = l.node
     WHERE (l.node IS NULL AND l.requested_at <= asked_before)
        OR (n.silent_since <= silent_before AND n.last_seen_at <= seen_before)
     ORDER BY l.call_id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION orphaned_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION orphaned_calls TO disca_service;
