-- Writes what the engine reported of legs of any account: their channel, place, muting, ringing and answer. Appends to the
-- timelines, keeps on_hold, and records the events. The transferring leg of a blind transfer leaves when the new leg rings,
-- and the parties that wait for the new leg are wanted in the room when it answers, as the engine moves them. Reports that repeat what is known change nothing; a fenced controller
-- changes nothing. Locks the live call, then its legs; several calls in the order of their ids.
-- requires: calls/note_leg, calls/note_transfer
-- after: calls/end_call, retired/finish_call
CREATE OR REPLACE FUNCTION place_legs(node_name text, node_epoch bigint, reports jsonb) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  report record;
  live live_calls;
  leg live_legs;
  entry text;
  event text;
BEGIN
  -- Fencing: only the current controller of the node may report its legs.
  IF NOT EXISTS (SELECT FROM node_leases n WHERE n.name = node_name AND n.epoch = node_epoch) THEN
    RETURN;
  END IF;
  FOR report IN
    SELECT r.*, g.call_id FROM jsonb_to_recordset(reports) AS r (
        position integer, kind text, leg_id uuid, engine_leg text, place text, is_muted boolean, at timestamptz,
        on_node double precision)
      JOIN live_legs g ON g.id = r.leg_id AND g.node = node_name
     ORDER BY g.call_id, r.position
  LOOP
    SELECT l.* INTO live FROM live_calls l WHERE l.call_id = report.call_id FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    SELECT g.* INTO leg FROM live_legs g WHERE g.id = report.leg_id AND g.state <> 'ended' FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    entry := NULL;
    event := NULL;
    IF report.kind = 'engine-leg' THEN
      UPDATE live_legs g SET engine_leg = report.engine_leg WHERE g.id = leg.id AND g.engine_leg IS DISTINCT FROM report.engine_leg;
      CONTINUE WHEN NOT FOUND;
    ELSIF report.kind = 'placed' THEN
      UPDATE live_legs g SET place = report.place WHERE g.id = leg.id AND g.place <> report.place;
      CONTINUE WHEN NOT FOUND;
      IF report.place = 'music' THEN
        entry := 'held';
        event := 'channel-hold';
      ELSIF leg.place = 'music' AND report.place = 'room' THEN
        entry := 'resumed';
        event := 'channel-unhold';
      END IF;
    ELSIF report.kind = 'muted' THEN
      UPDATE live_legs g SET is_muted = report.is_muted WHERE g.id = leg.id AND g.is_muted <> report.is_muted;
      CONTINUE WHEN NOT FOUND;
      entry := CASE WHEN report.is_muted THEN 'muted' ELSE 'unmuted' END;
    ELSIF report.kind = 'ringing' THEN
      UPDATE live_legs g SET state = 'ringing' WHERE g.id = leg.id AND g.state IN ('pending', 'dialling');
      CONTINUE WHEN NOT FOUND;
      IF leg.purpose = 'blind' AND leg.wanted <> 'leave' THEN
        UPDATE live_legs g SET wanted = 'leave'
         WHERE g.call_id = leg.call_id AND g.letter = leg.added_by AND g.state = 'answered';
      END IF;
    ELSE
      UPDATE live_legs g
         SET state = 'answered', answered_on_node = report.on_node, answered_at = report.at,
             renew_at = CASE WHEN g.funded_seconds IS NOT NULL
                             THEN report.at + make_interval(secs => greatest(g.funded_seconds - 30, 0)) END
       WHERE g.id = leg.id AND g.state IN ('pending', 'dialling', 'ringing');
      CONTINUE WHEN NOT FOUND;
      entry := 'party_joined';
    END IF;
    RETURN NEXT leg.id;
    CONTINUE WHEN entry IS NULL;
    PERFORM note_leg(live.account_id, live.call_id, report.at, entry,
      jsonb_build_object('party', leg.role, 'leg', leg.letter), event, jsonb_build_object('party', leg.role));
    -- What was cancelled in the meantime is not completed.
    CONTINUE WHEN entry <> 'party_joined' OR leg.wanted = 'leave' OR NOT leg.is_open;
    -- The transferring party of an attended transfer may have left before the answer, which completes it.
    CONTINUE WHEN leg.purpose = 'attended' AND EXISTS (
      SELECT FROM live_legs g WHERE g.call_id = leg.call_id AND g.letter = leg.added_by AND g.state <> 'ended');
    UPDATE live_legs g
       SET wanted = CASE WHEN g.letter = leg.added_by THEN 'leave' WHEN g.wanted = 'music' THEN 'room' ELSE g.wanted END
     WHERE g.call_id = leg.call_id AND g.state = 'answered' AND leg.purpose <> 'conference'
       AND (g.letter = leg.added_by OR strpos(leg.fetches, g.letter) > 0);
    UPDATE live_legs g
       SET is_open = false, result = CASE WHEN leg.purpose <> 'conference' THEN 'completed' END
     WHERE g.id = leg.id;
    PERFORM note_transfer(leg, report.at, 'completed', NULL);
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION place_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION place_legs TO disca_service;
