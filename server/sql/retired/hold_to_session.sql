-- For edges of release 0.1: limits a registration to the lifetime of the session that opened it, and rejects it if the
-- session has ended. A new registration waits for a transaction that is ending the session, which would not see the new
-- row.
CREATE OR REPLACE FUNCTION edge.hold_to_session() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  of_session uuid;
  session record;
BEGIN
  SELECT l.session_id INTO of_session FROM edge.session_logins l
   WHERE l.domain = NEW.domain AND l.username = NEW.username AND l.call_id_hash = md5(NEW.callid);
  IF NOT FOUND THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM public.phone_sessions s WHERE s.id = of_session FOR SHARE;
  END IF;
  SELECT s.ended_at, s.expires_at INTO session FROM public.phone_sessions s WHERE s.id = of_session;
  IF NOT FOUND OR session.ended_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  NEW.expires := least(NEW.expires, floor(extract(epoch FROM session.expires_at))::bigint);
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION edge.hold_to_session FROM PUBLIC;

CREATE OR REPLACE TRIGGER hold_to_session BEFORE UPDATE OF q ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.hold_to_session();

CREATE OR REPLACE TRIGGER hold_new_login BEFORE INSERT ON edge.location
  FOR EACH ROW WHEN (NEW.ruid NOT LIKE 'login-%') EXECUTE FUNCTION edge.hold_to_session();
