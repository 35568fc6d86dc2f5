-- Decides what the end of a leg means for the other legs of its call, and records it. `leg` is as it was before its end;
-- `ending` has the letters of the legs that end with it. The caller has locked the call and its legs.
--   The leg was called in a transfer: it has failed or was cancelled. Waiting parties return, and so does the transferring
--   one if it was about to leave.
--   The leg was that of the transferring party: with it, an attended transfer to a party that has answered is completed.
--   The leg was the last to wait for a transfer: the called party stays if it has answered, and is cancelled otherwise.
-- requires: calls/note_leg, calls/note_transfer
CREATE OR REPLACE FUNCTION note_leg_end(
  leg live_legs, at timestamptz, cause text, is_asked boolean, ending text[]
) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  transfer live_legs;
  remaining integer;
BEGIN
  IF leg.is_open THEN
    UPDATE live_legs g SET is_open = false WHERE g.account_id = leg.account_id AND g.id = leg.id;
    IF leg.purpose <> 'conference' THEN
      UPDATE live_legs g SET wanted = 'room'
       WHERE g.account_id = leg.account_id AND g.call_id = leg.call_id AND g.state = 'answered'
         AND (strpos(leg.fetches, g.letter) > 0 AND g.wanted = 'music' OR g.letter = leg.added_by AND g.wanted = 'leave');
    END IF;
    PERFORM note_transfer(leg, at, CASE leg.result WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END, cause);
  END IF;
  SELECT count(*) INTO remaining FROM live_legs g
   WHERE g.account_id = leg.account_id AND g.call_id = leg.call_id AND g.state <> 'ended' AND g.letter <> ALL (ending);
  -- The call is over with the second-last leg.
  IF remaining > 1 AND (leg.answered_at IS NOT NULL OR leg.purpose = 'conference') THEN
    PERFORM note_leg(leg.account_id, leg.call_id, at, 'party_left',
      jsonb_build_object('party', leg.role, 'leg', leg.letter, 'cause', cause), NULL, NULL);
  END IF;

  SELECT g.* INTO transfer FROM live_legs g
   WHERE g.account_id = leg.account_id AND g.call_id = leg.call_id AND g.is_open AND g.state <> 'ended'
     AND g.letter <> ALL (ending) AND g.purpose IN ('blind', 'attended')
     AND (g.added_by = leg.letter OR strpos(g.fetches, leg.letter) > 0);
  IF NOT FOUND OR is_asked THEN RETURN; END IF;
  IF transfer.added_by = leg.letter THEN
    IF transfer.purpose = 'attended' AND transfer.state = 'answered' AND transfer.wanted <> 'leave' THEN
      UPDATE live_legs g SET is_open = false, result = 'completed' WHERE g.account_id = leg.account_id AND g.id = transfer.id;
      UPDATE live_legs g SET wanted = 'room'
       WHERE g.account_id = leg.account_id AND g.call_id = leg.call_id AND g.state = 'answered' AND g.wanted = 'music';
      PERFORM note_transfer(transfer, at, 'completed', NULL);
    END IF;
  ELSIF NOT EXISTS (
      SELECT FROM live_legs g
       WHERE g.account_id = leg.account_id AND g.call_id = leg.call_id AND g.state <> 'ended'
         AND strpos(transfer.fetches, g.letter) > 0) THEN
    IF transfer.state <> 'answered' THEN
      UPDATE live_legs g SET wanted = 'leave' WHERE g.account_id = leg.account_id AND g.id = transfer.id;
    ELSIF transfer.result IS NULL THEN
      UPDATE live_legs g SET is_open = false WHERE g.account_id = leg.account_id AND g.id = transfer.id;
      PERFORM note_transfer(transfer, at, 'failed', cause);
    END IF;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION note_leg_end FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_leg_end TO disca_service, disca_operator;
