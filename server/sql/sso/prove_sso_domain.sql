-- Marks a domain of an account as proved. Returns false if another account has proved it and its record is still among
-- `records`, those in DNS; an account whose record is gone loses the domain. Runs as the owner, to see other accounts.
CREATE OR REPLACE FUNCTION prove_sso_domain(for_account bigint, proved text, records text[], at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sso-domain/' || proved, 0));
  UPDATE sso_domains d SET proved_at = NULL
   WHERE d.domain = proved AND d.account_id <> for_account AND d.proved_at IS NOT NULL
     AND d.token <> ALL (records);
  IF EXISTS (SELECT FROM sso_domains d
              WHERE d.domain = proved AND d.account_id <> for_account AND d.proved_at IS NOT NULL) THEN
    RETURN false;
  END IF;
  UPDATE sso_domains d SET proved_at = at
   WHERE d.domain = proved AND d.account_id = for_account AND d.proved_at IS NULL;
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION prove_sso_domain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prove_sso_domain TO disca_service;
