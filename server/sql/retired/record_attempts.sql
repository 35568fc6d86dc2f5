-- Stores the results of delivery attempts. Returns the integrations that have failed continuously since
-- `failing_before` or earlier, which the caller then disables.
CREATE OR REPLACE FUNCTION record_attempts(results jsonb, at timestamptz, failing_before timestamptz)
  RETURNS TABLE (integration_id bigint, account_id bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH r AS MATERIALIZED (
      -- One row per attempt.
      SELECT * FROM jsonb_to_recordset(results) AS r (
        delivery_id uuid, account_id bigint, integration_id bigint, number integer, round_attempts integer,
        at timestamptz, duration_ms integer, outcome text, status integer, detail text, address text,
        response_body text, state text, next_attempt_at timestamptz)
    ), written AS (
      INSERT INTO delivery_attempts (delivery_id, number, account_id, at, duration_ms, outcome, status, detail, address, response_body)
      SELECT r.delivery_id, r.number, r.account_id, r.at, r.duration_ms, r.outcome, r.status, r.detail, r.address, r.response_body
        FROM r ON CONFLICT DO NOTHING
    ), moved AS (
      -- Finish each delivery, or set its next attempt.
      UPDATE deliveries d
         SET state = r.state, attempts = r.number, round_attempts = r.round_attempts, last_outcome = r.outcome,
             next_attempt_at = r.next_attempt_at, ended_at = CASE WHEN r.state <> 'pending' THEN r.at END
        FROM r WHERE d.id = r.delivery_id
    ), recovered AS (
      -- Integrations with a success are healthy again.
      UPDATE integrations i SET failing_since = NULL
       WHERE i.failing_since IS NOT NULL AND i.id IN (SELECT r.integration_id FROM r WHERE r.outcome = 'delivered')
    ), failing AS (
      -- Integrations with only failures are failing from now on, unless they already were.
      UPDATE integrations i SET failing_since = at
       WHERE i.failing_since IS NULL AND i.id IN (SELECT r.integration_id FROM r)
         AND i.id NOT IN (SELECT r.integration_id FROM r WHERE r.outcome = 'delivered')
    )
    SELECT i.id, i.account_id FROM integrations i
     WHERE i.failing_since <= failing_before AND i.disabled_at IS NULL AND i.id IN (SELECT r.integration_id FROM r)
       AND i.id NOT IN (SELECT r.integration_id FROM r WHERE r.outcome = 'delivered');
END
$$;
REVOKE ALL ON FUNCTION record_attempts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_attempts TO disca_service;
