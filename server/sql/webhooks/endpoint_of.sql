-- Returns an endpoint's account with its number of concurrent requests, its host, and whether it has ever accepted a
-- delivery. Inlined into the statements that use it.
CREATE OR REPLACE FUNCTION endpoint_of(integration bigint, per_account integer)
  RETURNS TABLE (account_id bigint, account_slots bigint, host text, is_proven boolean)
  LANGUAGE sql STABLE
AS $$
  SELECT i.account_id,
         least(per_account, (SELECT b.most FROM effective_budgets b
                              WHERE b.account_id = i.account_id AND b.resource = 'webhook_requests')),
         coalesce(i.webhook_host, i.webhook_url), i.proven_at IS NOT NULL
    FROM integrations i WHERE i.id = integration;
$$;
REVOKE ALL ON FUNCTION endpoint_of FROM PUBLIC;
