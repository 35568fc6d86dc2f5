-- Processes of the previous release write `ha1` only: what is sealed beside it is then obsolete, and the version rises,
-- which ends registrations.
CREATE OR REPLACE FUNCTION version_digest() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  NEW.ha1_sealed := NULL;
  NEW.digest_version := OLD.digest_version + 1;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION version_digest FROM PUBLIC;

-- Other writers change `ha1_sealed` in the same statement: a text that is sealed again differs.
CREATE OR REPLACE TRIGGER version_digest BEFORE UPDATE OF ha1 ON extensions
  FOR EACH ROW
  WHEN (NEW.ha1 IS NOT NULL AND NEW.ha1 IS DISTINCT FROM OLD.ha1 AND NEW.digest_version = OLD.digest_version
        AND NEW.ha1_sealed IS NOT DISTINCT FROM OLD.ha1_sealed)
  EXECUTE FUNCTION version_digest();
