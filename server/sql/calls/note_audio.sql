-- Adds entries about audio to the timelines of answered calls of any account, each at most once per party, and returns
-- the positions of those added. `other_address`, after which the call ends, is added even if audio was missing before. A
-- fenced controller adds nothing. Every transaction that locks several calls locks them in the order of their ids.
-- after: calls/end_call, retired/finish_call
CREATE OR REPLACE FUNCTION note_audio(node_name text, node_epoch bigint, notes jsonb) RETURNS SETOF integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  note record;
BEGIN
  IF NOT EXISTS (SELECT FROM node_leases n WHERE n.name = node_name AND n.epoch = node_epoch) THEN
    RETURN;
  END IF;
  FOR note IN
    SELECT * FROM jsonb_to_recordset(notes) AS n (position integer, call_id uuid, moment jsonb)
     ORDER BY n.call_id, n.position
  LOOP
    -- A call that was placed before an upgrade may have entries in calls.
    UPDATE live_calls l
       SET timeline = l.timeline || note.moment
     WHERE l.call_id = note.call_id AND l.node = node_name AND l.state = 'answered'
       AND NOT ((SELECT c.timeline FROM calls c WHERE c.id = l.call_id) || l.timeline) @> jsonb_build_array(
         jsonb_build_object('what', note.moment -> 'what', 'from', note.moment -> 'from')
         || CASE note.moment ->> 'reason' WHEN 'other_address' THEN '{"reason": "other_address"}'::jsonb ELSE '{}' END);
    IF FOUND THEN
      RETURN NEXT note.position;
    END IF;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION note_audio FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_audio TO disca_service;
