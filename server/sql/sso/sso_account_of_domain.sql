-- Returns the active account that has proved this domain and configured single sign-on. Runs as the owner, because the
-- account is not known before the lookup.
CREATE OR REPLACE FUNCTION sso_account_of_domain(email_domain text) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT d.account_id
    FROM sso_domains d
    JOIN single_sign_on s ON s.account_id = d.account_id
    JOIN account_info a ON a.id = d.account_id
   WHERE d.domain = email_domain AND d.proved_at IS NOT NULL AND a.status = 'active'
$$;
REVOKE ALL ON FUNCTION sso_account_of_domain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sso_account_of_domain TO disca_service;
