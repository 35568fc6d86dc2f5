-- Appends an entry to the timeline of a running call that has had a command, keeps on_hold and, if a type is given, records
-- an event with the next sequence of the call. The caller has locked the call.
-- requires: calls/call_snapshot, calls/moment_at, events/record_event, platform/uuidv7_at
CREATE OR REPLACE FUNCTION note_leg(
  of_account bigint, of_call uuid, at timestamptz, entry text, more jsonb, event text, event_data jsonb
) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  live live_calls;
  noted calls;
BEGIN
  UPDATE live_calls l
     SET timeline = CASE WHEN entry IS NULL THEN l.timeline ELSE l.timeline || moment_at(at, entry, more) END,
         on_hold = EXISTS (SELECT FROM live_legs g
           WHERE g.account_id = of_account AND g.call_id = of_call AND g.state = 'answered' AND g.place = 'music'),
         sequence = l.sequence + CASE WHEN event IS NULL THEN 0 ELSE 1 END
   WHERE l.account_id = of_account AND l.call_id = of_call
  RETURNING l.* INTO live;
  IF event IS NULL THEN RETURN; END IF;
  SELECT c.* INTO noted FROM calls c WHERE c.id = of_call AND c.account_id = of_account;
  noted.status := live.state;
  noted.answered_at := live.answered_at;
  PERFORM record_event(uuidv7_at(at), of_account, event, of_call::text,
    jsonb_build_object('sequence', live.sequence) || event_data || jsonb_build_object('call', call_snapshot(noted)), at);
END
$$;
REVOKE ALL ON FUNCTION note_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_leg TO disca_service, disca_operator;
