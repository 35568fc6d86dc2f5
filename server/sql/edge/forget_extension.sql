-- Ends the registration of an extension whose number or password has changed, or that was deleted. Statements of the
-- previous release name `ha1`, and version_digest raises the version.
CREATE OR REPLACE FUNCTION edge.forget_extension() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE of_domain varchar := (SELECT a.domain FROM public.accounts a WHERE a.id = OLD.account_id);
BEGIN
  DELETE FROM edge.location l WHERE l.domain = of_domain AND l.username = OLD.ramal;
  DELETE FROM public.extension_presence p WHERE p.extension_id = OLD.id;
  DELETE FROM edge.replaced_logins r WHERE r.domain = of_domain AND r.username = OLD.ramal;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.forget_extension FROM PUBLIC;

CREATE OR REPLACE TRIGGER forget_changed_extension AFTER UPDATE OF ramal, ha1, digest_version ON public.extensions
  FOR EACH ROW WHEN (OLD.ramal <> NEW.ramal OR OLD.digest_version <> NEW.digest_version)
  EXECUTE FUNCTION edge.forget_extension();

CREATE OR REPLACE TRIGGER forget_removed_extension AFTER DELETE ON public.extensions
  FOR EACH ROW EXECUTE FUNCTION edge.forget_extension();
