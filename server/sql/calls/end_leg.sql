-- Ends legs of a call that had commands, in one statement: settles their holds and writes their ends. If they were the last
-- ones, ends the call like end_call, with the sum of the legs as its price. The ends were computed from the legs; if one of
-- them has changed since, does nothing and returns "changed", and the caller has to read them again. Other outcomes:
--   "unknown"  the call, or each of the legs, has ended already
--   "leg"      the legs have ended, and the call continues
--   "last"     the call has ended
-- The end of a leg also decides what becomes of a transfer: it fails if the called party ends, and the waiting parties
-- return to the transferring one; it is completed if the transferring party leaves the one that it called.
-- The call takes its cause from the leg whose end left one party alone: the last leg ends with it. The price of the call's
-- destination is in the hold of the call; a leg that was added has its own. Locks the live call, its legs in the order of
-- their letters, their holds, and the balance. Runs with the rights of the service, which sees only calls of its account.
-- requires: billing/lock_holds, billing/settle_hold, calls/call_snapshot, calls/leg_record, calls/moment_at, calls/note_leg_end, events/record_event, recordings/expect_recording
CREATE OR REPLACE FUNCTION end_leg(
  of_account bigint, finish jsonb,
  OUT outcome text, OUT hangup_cause text, OUT ended_by text, OUT duration integer, OUT ended_at timestamptz
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  f record;
  live live_calls;
  leg live_legs;
  ending record;
  charge record;
  ended calls;
  decisive live_legs;
  destination live_legs;
  snapshot jsonb;
  is_any boolean := false;
BEGIN
  SELECT * INTO f FROM jsonb_to_record(finish) AS f (
    call_id uuid, hangup_asked_at timestamptz, engine_lost_at timestamptz, ends jsonb, hangup_event uuid, price_event uuid,
    slot_transaction uuid, recording_key text);
  SELECT l.* INTO live FROM live_calls l WHERE l.account_id = of_account AND l.call_id = f.call_id AND l.has_legs FOR UPDATE;
  IF NOT FOUND THEN outcome := 'unknown'; RETURN; END IF;
  IF live.hangup_asked_at IS DISTINCT FROM f.hangup_asked_at OR live.engine_lost_at IS DISTINCT FROM f.engine_lost_at THEN
    outcome := 'changed';
    RETURN;
  END IF;
  PERFORM FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id ORDER BY g.letter FOR UPDATE;
  IF EXISTS (
      SELECT FROM jsonb_to_recordset(f.ends) AS e (
          letter text, state text, funded_seconds integer, known_answered_on_node double precision)
        JOIN live_legs g ON g.account_id = of_account AND g.call_id = f.call_id AND g.letter = e.letter AND g.state <> 'ended'
       WHERE g.state <> e.state
          OR g.answered_on_node IS DISTINCT FROM e.known_answered_on_node
          OR coalesce(g.funded_seconds, live.funded_seconds) <> e.funded_seconds) THEN
    outcome := 'changed';
    RETURN;
  END IF;
  PERFORM lock_holds(ARRAY(SELECT g.id FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id) || f.call_id);

  FOR ending IN
    SELECT * FROM jsonb_to_recordset(f.ends) AS e (
      letter text, ended_on_node double precision, ended_at timestamptz, duration integer, hangup_cause text, ended_by text,
      transaction_id uuid)
     ORDER BY e.letter
  LOOP
    SELECT g.* INTO leg FROM live_legs g
     WHERE g.account_id = of_account AND g.call_id = f.call_id AND g.letter = ending.letter AND g.state <> 'ended';
    CONTINUE WHEN NOT FOUND;
    is_any := true;
    charge := NULL;
    IF leg.letter IN ('a', 'b') AND leg.role = 'destination' THEN
      SELECT * INTO charge FROM settle_hold(f.call_id, 'settled', ending.duration, ending.ended_at, ending.transaction_id, 0);
      -- The funding of the call is that of its destination.
      UPDATE live_calls l SET renew_at = NULL WHERE l.account_id = of_account AND l.call_id = f.call_id;
    ELSIF leg.funded_seconds IS NOT NULL THEN
      SELECT * INTO charge FROM settle_hold(leg.id, 'settled', ending.duration, ending.ended_at, ending.transaction_id, 1);
    ELSE
      SELECT NULL::integer AS billed_seconds, NULL::bigint AS minute_price_micros, 0::bigint AS price_micros INTO charge;
    END IF;
    UPDATE live_legs g
       SET state = 'ended', place = 'leave', renew_at = NULL, ended_on_node = ending.ended_on_node,
           ended_at = ending.ended_at, duration = ending.duration, hangup_cause = ending.hangup_cause,
           ended_by = ending.ended_by, billed_seconds = charge.billed_seconds,
           minute_price_micros = charge.minute_price_micros, price_micros = charge.price_micros
     WHERE g.account_id = of_account AND g.id = leg.id;
    PERFORM note_leg_end(leg, ending.ended_at, ending.hangup_cause, live.hangup_asked_at IS NOT NULL,
      ARRAY(SELECT e.letter FROM jsonb_to_recordset(f.ends) AS e (letter text)));
  END LOOP;
  IF NOT is_any THEN outcome := 'unknown'; RETURN; END IF;
  IF EXISTS (SELECT FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id AND g.state <> 'ended') THEN
    UPDATE live_calls l
       SET on_hold = EXISTS (SELECT FROM live_legs g
             WHERE g.account_id = of_account AND g.call_id = l.call_id AND g.state = 'answered' AND g.place = 'music')
     WHERE l.account_id = of_account AND l.call_id = f.call_id;
    outcome := 'leg';
    RETURN;
  END IF;

  -- Its timeline and sequence have advanced.
  SELECT l.* INTO live FROM live_calls l WHERE l.account_id = of_account AND l.call_id = f.call_id;
  -- The leg before the last of those that did not leave by a command, or the last one if it was alone.
  SELECT g.* INTO decisive FROM live_legs g
   WHERE g.account_id = of_account AND g.call_id = f.call_id AND g.answered_at IS NOT NULL
   ORDER BY g.wanted = 'leave', row_number() OVER (
       PARTITION BY g.wanted = 'leave' ORDER BY coalesce(g.ended_on_node, extract(epoch FROM g.ended_at)) DESC, g.letter DESC) <> 2,
     coalesce(g.ended_on_node, extract(epoch FROM g.ended_at)) DESC
   LIMIT 1;
  SELECT g.* INTO destination FROM live_legs g
   WHERE g.account_id = of_account AND g.call_id = f.call_id AND g.role = 'destination' AND g.letter IN ('a', 'b');
  hangup_cause := decisive.hangup_cause;
  ended_by := decisive.ended_by;
  duration := destination.duration;
  SELECT max(g.ended_at) INTO ended_at FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id;
  -- The slot of the call is released with its last leg. Calls from outside take none.
  IF live.kind <> 'inbound' THEN
    PERFORM settle_hold(f.call_id, 'settled', destination.duration, ended_at, f.slot_transaction, 1);
  END IF;
  UPDATE calls c
     SET status = 'ended', answered_at = live.answered_at, ended_at = end_leg.ended_at, duration = destination.duration,
         billed_duration = destination.billed_seconds, hangup_cause = end_leg.hangup_cause, ended_by = end_leg.ended_by,
         minute_price_micros = destination.minute_price_micros, call_price_micros = l.price_micros, node = live.node,
         timeline = c.timeline || live.timeline
           || moment_at(end_leg.ended_at, 'ended', jsonb_build_object('cause', end_leg.hangup_cause, 'by', end_leg.ended_by)),
         legs = l.legs
    FROM (SELECT sum(g.price_micros)::bigint AS price_micros, jsonb_agg(leg_record(g) ORDER BY g.letter) AS legs
            FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id) l
   WHERE c.id = f.call_id AND c.account_id = of_account
  RETURNING c.* INTO ended;
  DELETE FROM live_legs g WHERE g.account_id = of_account AND g.call_id = f.call_id;
  DELETE FROM live_calls l WHERE l.account_id = of_account AND l.call_id = f.call_id;
  snapshot := call_snapshot(ended);
  PERFORM record_event(e.id, of_account, e.type, f.call_id::text,
      jsonb_build_object('sequence', live.sequence + e.step, 'call', snapshot), end_leg.ended_at)
    FROM (VALUES (f.hangup_event, 'channel-hangup', 1), (f.price_event, 'call-priced', 2)) AS e (id, type, step);
  IF f.recording_key IS NOT NULL THEN
    PERFORM expect_recording(f.call_id, of_account, f.recording_key, ended_at, live.node);
  END IF;
  outcome := 'last';
END
$$;
REVOKE ALL ON FUNCTION end_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_leg TO disca_service, disca_operator;
