-- Returns the integrations that receive an event. ADMINs receive every call, other users their own calls; events
-- about money go to ADMINs and ignore metadata constraints. A USER without the permission for webhooks receives nothing.
-- requires: webhooks/receives_call, webhooks/receives_type
CREATE OR REPLACE FUNCTION subscribers_of(of_account bigint, of_type text, of_subject text) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  is_of_call boolean := of_type NOT IN ('charge-paid', 'balance-low');
  -- Cast here: partition pruning below would evaluate the cast for every event type.
  of_call uuid := CASE WHEN is_of_call THEN of_subject::uuid END;
BEGIN
  RETURN QUERY
    SELECT i.id FROM integrations i JOIN users u ON u.id = i.user_id
     WHERE i.account_id = of_account AND i.webhook AND i.disabled_at IS NULL AND of_type = ANY (i.webhook_types)
       AND receives_type(u.role, u.uses_webhooks, of_type)
       AND CASE
         WHEN is_of_call THEN EXISTS (
           SELECT FROM calls c
            WHERE c.id = of_call AND c.account_id = of_account
              AND receives_call(u.role, i.user_id, c.user_id, c.requested_by)
              AND c.metadata @> i.constraint_metadata)
         ELSE true
       END;
END
$$;
REVOKE ALL ON FUNCTION subscribers_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION subscribers_of TO disca_service;
