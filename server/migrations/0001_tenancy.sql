-- Tenancy stands twice: every query names its account, and row-level security stands behind it.
-- The service connects as a member of disca_service, which owns nothing and cannot bypass a policy.
-- A transaction says for which account it speaks by setting app.account_id; without it no row is visible.
DO $$
BEGIN
  CREATE ROLE disca_service NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION
  -- Roles belong to the cluster: another database of it may have made this one already.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

CREATE FUNCTION current_account() RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.account_id', true), '')::bigint;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO disca_service;
