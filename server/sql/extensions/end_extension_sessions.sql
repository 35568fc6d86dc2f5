-- Ends the phone sessions of an extension when its number, password or owner changes.
CREATE OR REPLACE FUNCTION edge.end_extension_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.extension_id = OLD.id AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.end_extension_sessions FROM PUBLIC;

CREATE OR REPLACE TRIGGER end_phone_sessions AFTER UPDATE OF ramal, ha1, digest_version, user_id ON extensions
  FOR EACH ROW
  WHEN (OLD.ramal <> NEW.ramal OR OLD.digest_version <> NEW.digest_version OR OLD.user_id IS DISTINCT FROM NEW.user_id)
  EXECUTE FUNCTION edge.end_extension_sessions();
