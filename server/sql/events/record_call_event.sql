-- Records an event that follows a call's end, with the next number within the call. The call's own events are already
-- committed, and each following event occurs once.
-- requires: events/record_event
CREATE OR REPLACE FUNCTION record_call_event(
  event_id uuid, of_account bigint, of_type text, of_call text, event_data jsonb, at timestamptz
) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM record_event(event_id, of_account, of_type, of_call,
    event_data || jsonb_build_object('sequence', 1 + (
      SELECT coalesce(max((e.data->>'sequence')::integer), 0) FROM events e
       WHERE e.account_id = of_account AND e.subject_id = of_call)), at);
END
$$;
REVOKE ALL ON FUNCTION record_call_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_call_event TO disca_service;
