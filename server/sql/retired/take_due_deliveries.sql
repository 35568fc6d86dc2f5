-- The former name of take_queued_deliveries, which workers of the previous release call.
-- requires: webhooks/take_queued_deliveries
CREATE OR REPLACE FUNCTION take_due_deliveries(
    of_retries boolean, most integer, per_endpoint integer, per_account integer, slow bigint[], at timestamptz, lease interval)
  RETURNS TABLE (
    id uuid, account_id bigint, integration_id bigint, attempts integer, round_attempts integer, event_id uuid,
    type text, subject_id text, data jsonb, occurred_at timestamptz, account_sequence bigint, webhook_url text,
    webhook_version text, secret_sealed text, previous_secret_sealed text, previous_secret_until timestamptz,
    is_enabled boolean, domain text, timezone text, mode text, call jsonb
  )
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT t.id, t.account_id, t.integration_id, t.attempts, t.round_attempts, t.event_id, t.type, t.subject_id, t.data,
         t.occurred_at, t.account_sequence, t.webhook_url, t.webhook_version, t.secret_sealed, t.previous_secret_sealed,
         t.previous_secret_until, t.is_enabled, t.domain, t.timezone, t.mode, t.call
    FROM take_queued_deliveries(of_retries, most, per_endpoint, per_account, slow, at, lease) t;
$$;
REVOKE ALL ON FUNCTION take_due_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_due_deliveries TO disca_service;
