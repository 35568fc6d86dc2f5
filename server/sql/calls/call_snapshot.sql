-- Returns the fields of a call that its events carry, with their current values.
CREATE OR REPLACE FUNCTION call_snapshot(c calls) RETURNS jsonb LANGUAGE sql STABLE
  RETURN jsonb_build_object('id', c.id, 'domain', c.domain, 'call_type', c.call_type, 'status', c.status,
    'from', c."from", 'to', c."to", 'user_id', c.user_id, 'started_at', c.started_at, 'answered_at', c.answered_at,
    'ended_at', c.ended_at, 'duration', c.duration, 'billed_duration', c.billed_duration,
    'hangup_cause', c.hangup_cause, 'ended_by', c.ended_by, 'recorded', c.recorded,
    'minute_price_micros', c.minute_price_micros, 'call_price_micros', c.call_price_micros, 'metadata', c.metadata);
REVOKE ALL ON FUNCTION call_snapshot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_snapshot TO disca_service, disca_operator;
