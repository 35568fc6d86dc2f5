-- Unregisters the phone of an ended session. Phones that it replaced may register again; a phone that replaced it stays
-- registered.
-- requires: edge/log_off
CREATE OR REPLACE FUNCTION edge.end_session() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE login record;
BEGIN
  FOR login IN SELECT l.* FROM edge.session_logins l WHERE l.session_id = OLD.id LOOP
    DELETE FROM edge.location l
     WHERE l.domain = login.domain AND l.username = login.username AND md5(l.callid) = login.call_id_hash;
    PERFORM edge.log_off(login.domain, login.username, login.call_id_hash);
  END LOOP;
  RETURN OLD;
END
$$;
REVOKE ALL ON FUNCTION edge.end_session FROM PUBLIC;

CREATE OR REPLACE TRIGGER end_session AFTER UPDATE OF ended_at ON phone_sessions
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION edge.end_session();

CREATE OR REPLACE TRIGGER end_removed_session BEFORE DELETE ON phone_sessions
  FOR EACH ROW EXECUTE FUNCTION edge.end_session();
