-- The former name of take_due_deliveries, without the limit per account, which workers of the previous release call.
-- requires: retired/take_due_deliveries
CREATE OR REPLACE FUNCTION take_deliveries(
    of_retries boolean, most integer, per_endpoint integer, slow bigint[], at timestamptz, lease interval)
  RETURNS TABLE (
    id uuid, account_id bigint, integration_id bigint, attempts integer, round_attempts integer, event_id uuid,
    type text, subject_id text, data jsonb, occurred_at timestamptz, account_sequence bigint, webhook_url text,
    webhook_version text, secret_sealed text, previous_secret_sealed text, previous_secret_until timestamptz,
    is_enabled boolean, domain text, timezone text, mode text, call jsonb
  )
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT * FROM take_due_deliveries(of_retries, most, per_endpoint, 2147483647, slow, at, lease)
$$;
REVOKE ALL ON FUNCTION take_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_deliveries TO disca_service;
