-- Advances calls of any account to the states that their engine reported, and returns the calls that changed. Skips
-- calls that are already in the state, have ended or belong to another node; a fenced controller changes nothing. Every
-- transaction that locks several calls locks them in the order of their ids. Uses a generic plan, because planning for
-- all monthly partitions takes longer than reading one.
-- requires: calls/call_snapshot, events/record_event
-- after: calls/end_call, retired/finish_call
CREATE OR REPLACE FUNCTION move_calls(node_name text, node_epoch bigint, moves jsonb) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  move record;
  live record;
  moved calls;
BEGIN
  -- Fencing: only the current controller of the node may advance its calls.
  IF NOT EXISTS (SELECT FROM node_leases n WHERE n.name = node_name AND n.epoch = node_epoch) THEN
    RETURN;
  END IF;
  FOR move IN
    SELECT * FROM jsonb_to_recordset(moves) AS m (
      call_id uuid, step integer, earlier text[], state text, at timestamptz, moments jsonb, event text, event_id uuid,
      answered_on_node double precision, answered_at timestamptz, renew_at timestamptz)
     ORDER BY m.call_id, m.step
  LOOP
    -- States only move forward.
    UPDATE live_calls l
       SET state = move.state, sequence = l.sequence + CASE WHEN move.event IS NULL THEN 0 ELSE 1 END,
           answered_on_node = coalesce(move.answered_on_node, l.answered_on_node),
           answered_at = coalesce(move.answered_at, l.answered_at),
           renew_at = coalesce(move.renew_at, l.renew_at), timeline = l.timeline || move.moments
     WHERE l.call_id = move.call_id AND l.node = node_name AND l.state = ANY (move.earlier)
    RETURNING l.sequence, l.answered_at INTO live;
    CONTINUE WHEN NOT FOUND;
    -- Record the event, with the current values of the call.
    IF move.event IS NOT NULL THEN
      SELECT c.* INTO moved FROM calls c WHERE c.id = move.call_id;
      moved.status := move.state;
      moved.answered_at := live.answered_at;
      PERFORM record_event(move.event_id, moved.account_id, move.event, moved.id::text,
        jsonb_build_object('sequence', live.sequence, 'call', call_snapshot(moved)), move.at);
    END IF;
    RETURN NEXT move.call_id;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION move_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION move_calls TO disca_service;
