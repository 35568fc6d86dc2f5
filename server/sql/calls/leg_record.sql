-- Returns a leg as calls.legs keeps it.
CREATE OR REPLACE FUNCTION leg_record(g live_legs) RETURNS jsonb LANGUAGE sql STABLE
  RETURN jsonb_build_object('id', g.id, 'leg', g.letter, 'role', g.role, 'number', g.number, 'purpose', g.purpose,
    'started_at', CASE WHEN g.purpose IS NOT NULL THEN g.created_at END, 'answered_at', g.answered_at,
    'ended_at', g.ended_at, 'duration', g.duration, 'billed_duration', g.billed_seconds, 'hangup_cause', g.hangup_cause,
    'ended_by', g.ended_by, 'minute_price_micros', g.minute_price_micros, 'price_micros', g.price_micros);
REVOKE ALL ON FUNCTION leg_record FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leg_record TO disca_service, disca_operator;
