-- Returns the owner of an integration, and whether links to recordings may be sent to it. A USER's integration receives
-- the USER's own calls only. Runs as the owner, because workers send the webhooks of all accounts.
CREATE OR REPLACE FUNCTION webhook_owner(of_integration bigint) RETURNS TABLE (uuid uuid, may_listen boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT u.uuid, u.role = 'ADMIN' OR coalesce(u.hears_recordings, 'own') <> 'none'
    FROM integrations i JOIN users u ON u.id = i.user_id WHERE i.id = of_integration;
$$;
REVOKE ALL ON FUNCTION webhook_owner FROM PUBLIC;
GRANT EXECUTE ON FUNCTION webhook_owner TO disca_service;
