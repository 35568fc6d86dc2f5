-- Like claim_calls, for calls of live accounts: the node's free slots are reserved for them.
CREATE OR REPLACE FUNCTION claim_live_calls(node_name text, node_epoch bigint, asked_after timestamptz, at timestamptz, most integer)
  RETURNS SETOF live_calls
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
BEGIN
  RETURN QUERY
    UPDATE live_calls l SET node = node_name, claimed_at = at
     WHERE l.call_id IN (
       SELECT w.call_id FROM live_calls w
        WHERE w.node IS NULL AND w.requested_at > asked_after AND w.hangup_asked_at IS NULL
          AND (w.chosen_node IS NULL OR w.chosen_node = node_name OR w.chosen_until <= clock_timestamp())
          AND w.book = 'live'
          AND EXISTS (SELECT FROM account_info a WHERE a.id = w.account_id AND a.status = 'active')
        ORDER BY w.call_id LIMIT most FOR UPDATE SKIP LOCKED)
       AND EXISTS (SELECT FROM node_leases n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active')
    RETURNING l.*;
END
$$;
REVOKE ALL ON FUNCTION claim_live_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_live_calls TO disca_service;
