-- Returns whether a new call of the account may be recorded: false once the recordings of the day in Sao Paulo, or the
-- stored files, have used their budget. A recording counts when its file has arrived; a call that is being recorded is
-- recorded to its end. Runs with the rights of the service, which sees only its account.
CREATE OR REPLACE FUNCTION may_record(of_account bigint, at timestamptz) RETURNS boolean
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM effective_budgets b JOIN recording_use u ON u.account_id = b.account_id
     WHERE b.account_id = of_account AND b.resource IN ('recorded_minutes', 'stored_megabytes')
       AND CASE b.resource
             WHEN 'recorded_minutes' THEN u.day = (at AT TIME ZONE 'America/Sao_Paulo')::date AND u.recorded_ms >= b.most * 60000
             ELSE u.stored_bytes >= b.most * 1000000 END);
END
$$;
REVOKE ALL ON FUNCTION may_record FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_record TO disca_service;
