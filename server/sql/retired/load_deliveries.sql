-- Returns everything needed to build the requests of some pending deliveries.
CREATE OR REPLACE FUNCTION load_deliveries(wanted uuid[])
  RETURNS TABLE (
    id uuid, account_id bigint, integration_id bigint, attempts integer, round_attempts integer, event_id uuid,
    type text, subject_id text, data jsonb, occurred_at timestamptz, account_sequence bigint, webhook_url text,
    webhook_version text, secret_sealed text, previous_secret_sealed text, previous_secret_until timestamptz,
    is_enabled boolean, domain text, timezone text, mode text, call jsonb
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT d.id, d.account_id, d.integration_id, d.attempts, d.round_attempts, e.id, e.type, e.subject_id, e.data,
           e.occurred_at::timestamptz, e.account_sequence, i.webhook_url, i.webhook_version, i.secret_sealed,
           i.previous_secret_sealed, i.previous_secret_until::timestamptz, i.webhook AND i.disabled_at IS NULL,
           a.domain, a.timezone, a.mode,
           -- Recording events do not contain the fields of their call.
           CASE WHEN e.type = 'recording-ready' THEN (
             SELECT to_jsonb(c) - 'timeline' FROM calls c WHERE c.id = e.subject_id::uuid) END
      FROM deliveries d
      JOIN events e ON e.id = d.event_id
      JOIN integrations i ON i.id = d.integration_id
      JOIN account_info a ON a.id = d.account_id
     WHERE d.id = ANY (wanted) AND d.state = 'pending';
END
$$;
REVOKE ALL ON FUNCTION load_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION load_deliveries TO disca_service;
