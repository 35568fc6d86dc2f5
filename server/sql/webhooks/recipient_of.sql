-- Returns the owner of an integration, whether the owner may receive an event, and whether links to recordings may be
-- sent. Role and permissions may have changed since the delivery was planned, so this is evaluated again before each
-- attempt and replay. A USER receives own calls only, so the permission to listen to these is sufficient. For an ADMIN,
-- the call is not read. Runs as the owner of the tables, because workers send the webhooks of all accounts.
-- requires: webhooks/receives_call, webhooks/receives_type
CREATE OR REPLACE FUNCTION recipient_of(of_account bigint, of_integration bigint, of_type text, of_subject text)
  RETURNS TABLE (owner_uuid uuid, may_receive boolean, may_listen boolean)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  owner_id bigint;
  owner_role text;
BEGIN
  SELECT u.id, u.role, u.uuid, receives_type(u.role, u.uses_webhooks, of_type),
         u.role = 'ADMIN' OR coalesce(u.hears_recordings, 'own') <> 'none'
    INTO owner_id, owner_role, owner_uuid, may_receive, may_listen
    FROM integrations i JOIN users u ON u.id = i.user_id
   WHERE i.id = of_integration AND i.account_id = of_account;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF may_receive AND owner_role <> 'ADMIN' THEN
    may_receive := EXISTS (
      SELECT FROM calls c
       WHERE c.id = of_subject::uuid AND c.account_id = of_account
         AND receives_call(owner_role, owner_id, c.user_id, c.requested_by));
  END IF;
  RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION recipient_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recipient_of TO disca_service;
