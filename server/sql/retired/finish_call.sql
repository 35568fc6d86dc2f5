-- Completes the record of a call, deletes the live call, and records its hangup and price events, for releases that
-- settle the hold in a statement before. Runs with the rights of the service, which sees only calls of its account.
-- requires: calls/call_snapshot, events/record_event, retired/release_call_slot
CREATE OR REPLACE FUNCTION finish_call(of_account bigint, finish jsonb) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ending record;
  finished calls;
  live record;
BEGIN
  SELECT * INTO ending FROM jsonb_to_record(finish) AS f (
    call_id uuid, answered_at timestamptz, ended_at timestamptz, duration integer, billed_duration integer,
    hangup_cause text, ended_by text, minute_price_micros bigint, call_price_micros bigint, moment jsonb,
    hangup_event uuid, price_event uuid);
  DELETE FROM live_calls l WHERE l.call_id = ending.call_id AND l.account_id = of_account
    RETURNING l.sequence, l.book, l.kind, l.node, l.timeline INTO live;
  -- Calls from outside take no slot of the account.
  IF live.kind <> 'inbound' THEN PERFORM release_call_slot(live.book); END IF;
  UPDATE calls c
     SET status = 'ended', answered_at = ending.answered_at, ended_at = ending.ended_at, duration = ending.duration,
         billed_duration = ending.billed_duration, hangup_cause = ending.hangup_cause, ended_by = ending.ended_by,
         minute_price_micros = ending.minute_price_micros, call_price_micros = ending.call_price_micros,
         node = coalesce(live.node, c.node), timeline = c.timeline || coalesce(live.timeline, '[]') || ending.moment
   WHERE c.id = ending.call_id AND c.account_id = of_account
  RETURNING c.* INTO finished;
  PERFORM record_event(e.id, of_account, e.type, ending.call_id::text,
      jsonb_build_object('sequence', live.sequence + e.step, 'call', call_snapshot(finished)), ending.ended_at)
    FROM (VALUES (ending.hangup_event, 'channel-hangup', 1), (ending.price_event, 'call-priced', 2)) AS e (id, type, step);
END
$$;
REVOKE ALL ON FUNCTION finish_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_call TO disca_service;
