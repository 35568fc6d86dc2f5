-- Leases due deliveries and returns everything needed to build their requests.
-- requires: calls/noted_call, events/find_events, webhooks/choose_due_deliveries
CREATE OR REPLACE FUNCTION take_queued_deliveries(
    of_retries boolean, most integer, per_endpoint integer, per_account integer, slow bigint[], at timestamptz, lease interval)
  RETURNS TABLE (
    id uuid, account_id bigint, integration_id bigint, attempts integer, round_attempts integer, event_id uuid,
    type text, subject_id text, data jsonb, occurred_at timestamptz, account_sequence bigint, webhook_url text,
    webhook_version text, secret_sealed text, previous_secret_sealed text, previous_secret_until timestamptz,
    is_enabled boolean, domain text, timezone text, mode text, call jsonb, webhook_host text, is_proven boolean
  )
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  chosen uuid[] := choose_due_deliveries(of_retries, most, per_endpoint, per_account, slow, at, lease);
  loaded integer;
BEGIN
  IF cardinality(chosen) = 0 THEN
    RETURN;
  END IF;
  RETURN QUERY
    SELECT d.id, d.account_id, d.integration_id, d.attempts, d.round_attempts, e.id, e.type, e.subject_id, e.data,
           e.occurred_at::timestamptz, e.account_sequence, i.webhook_url, i.webhook_version, i.secret_sealed,
           i.previous_secret_sealed, i.previous_secret_until::timestamptz, i.webhook AND i.disabled_at IS NULL,
           a.domain, a.timezone, a.mode,
           -- These events do not contain the fields of their call.
           CASE WHEN e.type IN ('recording-ready', 'call-updated') THEN (
             SELECT noted_call(c) FROM calls c WHERE c.id = e.subject_id::uuid) END,
           coalesce(i.webhook_host, i.webhook_url), i.proven_at IS NOT NULL
      FROM deliveries d
      JOIN find_events(ARRAY(SELECT w.event_id FROM deliveries w WHERE w.id = ANY (chosen) AND w.state = 'pending')) e
        ON e.id = d.event_id
      JOIN integrations i ON i.id = d.integration_id
      JOIN account_info a ON a.id = d.account_id
     WHERE d.id = ANY (chosen) AND d.state = 'pending';
  GET DIAGNOSTICS loaded = ROW_COUNT;
  IF loaded < cardinality(chosen) THEN
    -- The others are gone, or no longer pending: their integration, account or event was deleted.
    DELETE FROM delivery_queue q
     WHERE q.delivery_id = ANY (chosen)
       AND NOT EXISTS (
         SELECT FROM deliveries d JOIN integrations i ON i.id = d.integration_id
          WHERE d.id = q.delivery_id AND d.state = 'pending' AND EXISTS (SELECT FROM find_events(ARRAY[d.event_id])));
  END IF;
END
$$;
REVOKE ALL ON FUNCTION take_queued_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_queued_deliveries TO disca_service;
