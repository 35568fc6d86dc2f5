-- Records what became of a transfer, or of a party that was invited: an entry of the timeline and an event. `result` is
-- started, completed, cancelled or failed. Entries name the party by its leg, so that its number is only in the legs.
-- requires: calls/note_leg
CREATE OR REPLACE FUNCTION note_transfer(leg live_legs, at timestamptz, result text, cause text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  failed jsonb := CASE WHEN result = 'failed' THEN jsonb_build_object('hangup_cause', cause) ELSE '{}' END;
BEGIN
  IF leg.purpose = 'conference' THEN
    PERFORM note_leg(leg.account_id, leg.call_id, at, NULL, NULL, 'channel-conference',
      jsonb_build_object('to', leg.number, 'result', result) || failed);
  ELSE
    PERFORM note_leg(leg.account_id, leg.call_id, at, 'transfer_' || result,
      jsonb_build_object('kind', leg.purpose, 'leg', leg.letter, 'by', leg.added_by)
        || CASE WHEN result = 'failed' THEN jsonb_build_object('cause', cause) ELSE '{}' END,
      'channel-transfer', jsonb_build_object('kind', leg.purpose, 'to', leg.number, 'result', result) || failed);
  END IF;
END
$$;
REVOKE ALL ON FUNCTION note_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_transfer TO disca_service, disca_operator;
