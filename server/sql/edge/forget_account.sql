-- Ends all registrations of an account that is no longer active, was renamed or deleted.
CREATE OR REPLACE FUNCTION edge.forget_account() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM edge.location l WHERE l.domain = OLD.domain;
  DELETE FROM edge.replaced_logins r WHERE r.domain = OLD.domain;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.forget_account FROM PUBLIC;

CREATE OR REPLACE TRIGGER forget_inactive_account AFTER UPDATE OF status, domain ON public.accounts
  FOR EACH ROW WHEN (OLD.status = 'active' AND (NEW.status <> 'active' OR OLD.domain <> NEW.domain))
  EXECUTE FUNCTION edge.forget_account();

CREATE OR REPLACE TRIGGER forget_removed_account AFTER DELETE ON public.accounts
  FOR EACH ROW EXECUTE FUNCTION edge.forget_account();
