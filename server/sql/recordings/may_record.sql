-- Returns whether a new call of the account may be recorded: false once the recordings of the day in Sao Paulo have used
-- the budget. A recording counts when its file has arrived; a call that is being recorded is recorded to its end. Runs
-- with the rights of the service, which sees only its account.
-- requires: recordings/recorded_ms_of_day
CREATE OR REPLACE FUNCTION may_record(of_account bigint, at timestamptz) RETURNS boolean
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  most_minutes bigint := (SELECT b.most FROM effective_budgets b
                           WHERE b.account_id = of_account AND b.resource = 'recorded_minutes');
BEGIN
  RETURN most_minutes IS NULL OR recorded_ms_of_day(of_account, at) < most_minutes * 60000;
END
$$;
REVOKE ALL ON FUNCTION may_record FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_record TO disca_service;
