-- Returns whether a domain is taken. Sign-up checks before it inserts, because it reports all errors together.
CREATE OR REPLACE FUNCTION domain_exists(wanted text) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM accounts a WHERE a.domain = wanted);
END
$$;
REVOKE ALL ON FUNCTION domain_exists FROM PUBLIC;
GRANT EXECUTE ON FUNCTION domain_exists TO disca_service;
