-- Deletes up to `most` former addresses that no longer log in, and returns how many. The limit keeps the locks short.
CREATE OR REPLACE FUNCTION sweep_former_emails(at timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM former_emails WHERE id IN (
    SELECT id FROM former_emails WHERE expires_at <= at LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_former_emails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_former_emails TO disca_service;
