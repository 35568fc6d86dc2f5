-- The former name of orphaned_calls, which release 0.1 calls.
-- requires: calls/orphaned_calls
CREATE OR REPLACE FUNCTION forsaken_calls(asked_before timestamptz, seen_before timestamptz, silent_before timestamptz, most integer)
  RETURNS TABLE (call_id uuid, account_id bigint, node text, last_seen_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT o.call_id, o.account_id, o.node, o.last_seen_at
      FROM orphaned_calls(asked_before, seen_before, silent_before, most) o;
END
$$;
REVOKE ALL ON FUNCTION forsaken_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forsaken_calls TO disca_service;
