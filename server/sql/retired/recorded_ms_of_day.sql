-- For api processes of the previous release, which show it in GET /accounts/limits: the length of the account's
-- recordings of calls that started on the day of `at` in Sao Paulo, in milliseconds. Runs with the rights of the service,
-- which sees only its account.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION recorded_ms_of_day(of_account bigint, at timestamptz) RETURNS bigint
  LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
  RETURN (SELECT coalesce(sum(r.duration_ms), 0)::bigint FROM recordings r
           WHERE r.account_id = of_account AND r.call_id >= uuid_floor(date_trunc('day', at, 'America/Sao_Paulo')));
REVOKE ALL ON FUNCTION recorded_ms_of_day FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recorded_ms_of_day TO disca_service;
