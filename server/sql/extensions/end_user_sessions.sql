-- Ends a user's phone sessions when the role or the password changes.
CREATE OR REPLACE FUNCTION edge.end_user_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.user_id = OLD.id AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.end_user_sessions FROM PUBLIC;

CREATE OR REPLACE TRIGGER end_phone_sessions AFTER UPDATE OF role, password_changed_at ON users
  FOR EACH ROW WHEN (OLD.role <> NEW.role OR OLD.password_changed_at <> NEW.password_changed_at)
  EXECUTE FUNCTION edge.end_user_sessions();
