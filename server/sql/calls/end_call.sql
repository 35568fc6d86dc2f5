-- Ends a call in one statement: deletes the live call, settles its hold, completes the record, records the hangup and
-- price events, and expects its recording. The end was computed from the live call; if that has changed or ended since,
-- does nothing and returns false, and the caller has to read it again. Runs with the rights of the service, which sees
-- only calls of its account.
-- The legs of a call that had commands are ended by end_leg.
-- If the answer was not reported before the end, as when voice was lost in between, it is recorded first.
-- requires: billing/settle_hold, calls/call_snapshot, events/record_event, recordings/expect_recording
CREATE OR REPLACE FUNCTION end_call(of_account bigint, finish jsonb) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ending record;
  charge record;
  ended calls;
  live record;
  snapshot jsonb;
BEGIN
  SELECT * INTO ending FROM jsonb_to_record(finish) AS f (
    call_id uuid, state text, node text, funded_seconds integer, known_answered_on_node double precision,
    known_answered_at timestamptz, hangup_asked_at timestamptz, engine_lost_at timestamptz,
    answered_at timestamptz, ended_at timestamptz, duration integer, hangup_cause text, ended_by text, moment jsonb,
    transaction_id uuid, hangup_event uuid, price_event uuid, recording_key text, answer_event uuid, answer_moment jsonb, quality jsonb);
  DELETE FROM live_calls l
   WHERE l.call_id = ending.call_id AND l.account_id = of_account
     AND l.state = ending.state AND l.funded_seconds = ending.funded_seconds
     AND l.node IS NOT DISTINCT FROM ending.node
     AND l.answered_on_node IS NOT DISTINCT FROM ending.known_answered_on_node
     AND l.answered_at IS NOT DISTINCT FROM ending.known_answered_at
     AND l.hangup_asked_at IS NOT DISTINCT FROM ending.hangup_asked_at
     AND l.engine_lost_at IS NOT DISTINCT FROM ending.engine_lost_at
     AND NOT l.has_legs
  RETURNING l.sequence, l.timeline, l.kind INTO live;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Calls from outside take no slot of the account.
  SELECT * INTO charge FROM settle_hold(ending.call_id, 'settled', ending.duration, ending.ended_at, ending.transaction_id,
    CASE WHEN live.kind = 'inbound' THEN 0 ELSE 1 END);
  IF ending.answer_event IS NOT NULL THEN
    SELECT c.* INTO ended FROM calls c WHERE c.id = ending.call_id AND c.account_id = of_account;
    ended.status := 'answered';
    ended.answered_at := ending.answered_at;
    live.sequence := live.sequence + 1;
    live.timeline := live.timeline || ending.answer_moment;
    PERFORM record_event(ending.answer_event, of_account, 'channel-answer', ending.call_id::text,
      jsonb_build_object('sequence', live.sequence, 'call', call_snapshot(ended)), ending.answered_at);
  END IF;
  UPDATE calls c
     SET status = 'ended', answered_at = ending.answered_at, ended_at = ending.ended_at, duration = ending.duration,
         billed_duration = charge.billed_seconds, hangup_cause = ending.hangup_cause, ended_by = ending.ended_by,
         minute_price_micros = charge.minute_price_micros, call_price_micros = charge.price_micros,
         node = ending.node, quality = ending.quality, timeline = c.timeline || live.timeline || ending.moment
   WHERE c.id = ending.call_id AND c.account_id = of_account
  RETURNING c.* INTO ended;
  snapshot := call_snapshot(ended);
  PERFORM record_event(e.id, of_account, e.type, ending.call_id::text,
      jsonb_build_object('sequence', live.sequence + e.step, 'call', snapshot), ending.ended_at)
    FROM (VALUES (ending.hangup_event, 'channel-hangup', 1), (ending.price_event, 'call-priced', 2)) AS e (id, type, step);
  IF ending.recording_key IS NOT NULL THEN
    PERFORM expect_recording(ending.call_id, of_account, ending.recording_key, ending.ended_at, ending.node);
  END IF;
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION end_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_call TO disca_service, disca_operator;
