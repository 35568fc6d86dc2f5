-- Records an event that follows a call's end, with the next number within the call. The call's own events are already
-- committed, and each following event occurs once. Events are never much older than their call, so older ones are
-- skipped.
-- requires: events/record_event, platform/uuid_floor
CREATE OR REPLACE FUNCTION record_call_event(
  event_id uuid, of_account bigint, of_type text, of_call text, event_data jsonb, at timestamptz
) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  oldest uuid := (SELECT uuid_floor(c.started_at - interval '1 minute') FROM calls c
                   WHERE c.id = of_call::uuid AND c.account_id = of_account);
BEGIN
  PERFORM record_event(event_id, of_account, of_type, of_call,
    event_data || jsonb_build_object('sequence', 1 + (
      SELECT coalesce(max((e.data->>'sequence')::integer), 0) FROM recorded_events e
       WHERE e.account_id = of_account AND e.subject_id = of_call AND e.id >= oldest)), at);
END
$$;
REVOKE ALL ON FUNCTION record_call_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_call_event TO disca_service;
