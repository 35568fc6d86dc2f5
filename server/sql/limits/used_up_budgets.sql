-- Returns how many accounts use up each budget of which no request is refused by name: calls at once, recordings, webhook
-- requests (in one of the lanes) and the relay (a browser phone for each quota, so that more of them share one). Runs as
-- the owner to count across accounts, and returns only numbers.
CREATE OR REPLACE FUNCTION used_up_budgets(OUT resource text, OUT accounts bigint) RETURNS SETOF record
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH used AS (
      SELECT 'calls' AS resource, c.account_id, count(*) AS amount
        FROM taken_slots c GROUP BY c.account_id
      UNION ALL
      SELECT 'recorded_minutes', u.account_id, u.recorded_ms / 60000
        FROM recording_use u WHERE u.day = (now() AT TIME ZONE 'America/Sao_Paulo')::date
      UNION ALL
      SELECT 'stored_megabytes', u.account_id, u.stored_bytes / 1000000 FROM recording_use u
      UNION ALL
      SELECT 'webhook_requests', i.account_id, count(*)
        FROM delivery_queue q JOIN integrations i ON i.id = q.integration_id
       WHERE q.taken_until > now() GROUP BY i.account_id, q.is_retry
      UNION ALL
      SELECT 'relay_quotas', s.account_id, count(DISTINCT s.extension_id)
        FROM phone_sessions s WHERE s.ended_at IS NULL AND s.expires_at > now() GROUP BY s.account_id
    ), used_up AS (
      SELECT DISTINCT u.resource, u.account_id
        FROM used u JOIN effective_budgets b ON b.account_id = u.account_id AND b.resource = u.resource
       WHERE u.amount >= b.most
    )
    SELECT r.resource, count(u.account_id)
      FROM unnest(ARRAY['calls', 'recorded_minutes', 'stored_megabytes', 'webhook_requests', 'relay_quotas']) AS r (resource)
      LEFT JOIN used_up u ON u.resource = r.resource
     GROUP BY r.resource;
END
$$;
REVOKE ALL ON FUNCTION used_up_budgets FROM PUBLIC;
GRANT EXECUTE ON FUNCTION used_up_budgets TO disca_service;
