-- Marks a domain of an account as proved. Returns null and changes nothing if the record of the account is not among
-- `records`, those in DNS: the settings may have changed since DNS was asked, and with them the record. Returns false if
-- another account has proved the domain and its record is among them; an account whose record is gone loses the domain.
-- Runs as the owner, to see other accounts.
CREATE OR REPLACE FUNCTION prove_sso_domain(for_account bigint, proved text, records text[], at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sso-domain/' || proved, 0));
  PERFORM FROM sso_domains d
    WHERE d.domain = proved AND d.account_id = for_account AND d.token = ANY (records) FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE sso_domains d SET proved_at = NULL
   WHERE d.domain = proved AND d.account_id <> for_account AND d.proved_at IS NOT NULL
     AND d.token <> ALL (records);
  IF EXISTS (SELECT FROM sso_domains d
              WHERE d.domain = proved AND d.account_id <> for_account AND d.proved_at IS NOT NULL) THEN
    RETURN false;
  END IF;
  UPDATE sso_domains d SET proved_at = at
   WHERE d.domain = proved AND d.account_id = for_account AND d.token = ANY (records) AND d.proved_at IS NULL;
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION prove_sso_domain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prove_sso_domain TO disca_service;
