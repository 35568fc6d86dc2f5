-- Adds a party to a running call: an extension of the account, or a number outside, which is decided, held and counted like
-- a new call. The caller has locked the call and its legs, and dials nothing unless the outcome is "added". Other outcomes:
--   "party"  the called extension is a party of the call
--   those of outbound_terms and of hold_for_call
-- requires: billing/hold_for_call, calls/outbound_terms
CREATE OR REPLACE FUNCTION add_leg(
  live live_calls, written calls, request jsonb, leg_letter text, purpose text, acting text, waiting text,
  OUT outcome text, OUT book text, OUT bina text, OUT available_micros bigint, OUT became_low boolean,
  OUT calls_per_second integer, OUT added live_legs
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  r record;
  -- What the phone of an extension shows: who waits for it, or who calls it.
  shown text := CASE add_leg.purpose WHEN 'blind' THEN left(waiting, 1) ELSE acting END;
  called record;
  t record;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    leg_id uuid, at timestamptz, "to" text, destination text, transaction_id uuid);
  added.id := r.leg_id;
  added.account_id := live.account_id;
  added.call_id := live.call_id;
  added.node := live.node;
  added.letter := leg_letter;
  added.state := 'pending';
  added.place := 'none';
  added.wanted := 'room';
  added.is_muted := false;
  added.wants_mute := false;
  added.purpose := add_leg.purpose;
  added.added_by := acting;
  added.is_open := true;
  added.fetches := waiting;
  added.created_at := r.at;
  SELECT e.id, e.ramal, a.domain, p.transport, p.edge, nullif(o.availability, 'available') AS unavailability INTO called
    FROM extensions e
    JOIN account_info a ON a.id = e.account_id
    LEFT JOIN user_availability o ON o.id = e.user_id
    LEFT JOIN extension_presence p ON p.extension_id = e.id AND p.expires_at > r.at
   WHERE e.account_id = live.account_id AND e.ramal = r."to";
  IF FOUND THEN
    outcome := CASE
      WHEN (NOT live.has_legs AND called.ramal IN (written."from", written."to", live.order_data ->> 'ramal'))
        OR EXISTS (SELECT FROM live_legs g WHERE g.account_id = live.account_id AND g.call_id = live.call_id
                      AND g.state <> 'ended' AND g.number = called.ramal) THEN 'party'
      -- A missed call of an absent person is recorded whether or not their phone is registered.
      WHEN called.unavailability IS NULL AND called.transport IS NULL THEN 'registration' END;
    IF outcome IS NOT NULL THEN RETURN; END IF;
    added.role := 'extension';
    added.number := called.ramal;
    added.extension_id := called.id;
    added.order_data := jsonb_strip_nulls(jsonb_build_object('ramal', called.ramal, 'domain', called.domain,
      'destination', called.ramal, 'callerId', coalesce(
        (SELECT g.number FROM live_legs g
          WHERE g.account_id = live.account_id AND g.call_id = live.call_id AND g.letter = shown),
        CASE WHEN shown = 'a' THEN written."from" WHEN live.kind = 'inbound' THEN live.order_data ->> 'ramal'
             ELSE written."to" END),
      'unavailability', called.unavailability, 'phone', CASE
        WHEN called.unavailability IS NULL THEN jsonb_build_object('transport', called.transport, 'edge', called.edge) END));
  ELSE
    SELECT * INTO t FROM outbound_terms(live.account_id, r.leg_id,
      CASE WHEN live.kind = 'inbound' THEN live.order_data ->> 'ramal' ELSE written."from" END, request);
    outcome := t.outcome;
    bina := t.bina;
    IF outcome IS NOT NULL THEN RETURN; END IF;
    book := (t.hold).book;
    calls_per_second := t.calls_per_second;
    SELECT h.outcome, h.available, h.became_low INTO outcome, available_micros, became_low
      FROM hold_for_call(t.hold, r.at, r.transaction_id, t.threshold_micros, t.daily_spend_micros, true, true, true,
        t.calls_per_second, t.concurrent_calls, true) h;
    IF outcome <> 'held' THEN RETURN; END IF;
    added.role := 'destination';
    added.number := r.destination;
    added.funded_seconds := (t.hold).funded_seconds;
    added.order_data := jsonb_build_object('domain', t.domain, 'destination', r.destination, 'callerId', t.presented,
      'book', book);
  END IF;
  INSERT INTO live_legs VALUES (added.*);
  INSERT INTO leg_calls (id, account_id, call_id) VALUES (added.id, added.account_id, added.call_id);
  outcome := 'added';
END
$$;
REVOKE ALL ON FUNCTION add_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_leg TO disca_service;
