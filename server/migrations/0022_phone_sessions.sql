-- Phone sessions: short-lived SIP credentials for the phone in a browser, which must not know an extension's password.
-- A session has an identity of its own, such as 1000.s3x9…, and logs in as its extension and no other.

CREATE TABLE phone_sessions (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  extension_id bigint NOT NULL REFERENCES extensions ON DELETE CASCADE,
  -- Who opened it; it goes with them.
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  username text COLLATE "C" NOT NULL UNIQUE CHECK (username ~ '^[0-9]{2,8}\.s[a-z0-9]{16}$'),
  -- MD5 of username:domain:password; the password itself is told once and kept nowhere.
  ha1 text NOT NULL CHECK (ha1 ~ '^[0-9a-f]{32}$'),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- Set when it was ended before its time.
  ended_at timestamptz(3)
);
CREATE INDEX phone_sessions_account ON phone_sessions (account_id);
CREATE INDEX phone_sessions_extension ON phone_sessions (extension_id, created_at DESC, id DESC);
CREATE INDEX phone_sessions_user ON phone_sessions (user_id);

ALTER TABLE phone_sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON phone_sessions TO disca_service USING (account_id = current_account());
GRANT SELECT, INSERT, UPDATE, DELETE ON phone_sessions TO disca_service;

-- A session that is over stays here for a while, so that the edge can tell a phone that comes late from a guesser.
CREATE OR REPLACE VIEW edge.subscriber AS
  SELECT e.ramal::varchar AS username, a.domain::varchar AS domain, e.ha1::varchar AS ha1
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE a.status = 'active'
  UNION ALL
  SELECT s.username::varchar, a.domain::varchar, s.ha1::varchar
    FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
   WHERE a.status = 'active';

-- Which logins a session opened. A login is known by the MD5 of its Call-ID, as in replaced_logins.
CREATE TABLE edge.session_logins (
  domain varchar NOT NULL,
  username varchar NOT NULL,
  call_id_hash varchar NOT NULL,
  session_id uuid NOT NULL REFERENCES public.phone_sessions ON DELETE CASCADE,
  first_used_at timestamptz NOT NULL,
  PRIMARY KEY (domain, username, call_id_hash)
);
CREATE INDEX session_logins_session ON edge.session_logins (session_id, first_used_at DESC);

-- Asked by the edge when a session's password was right: the seconds it still has, or 0. A login given is the session's
-- from now on. The newest twenty are enough: one at a time is registered.
CREATE FUNCTION edge.use_session(of_domain varchar, identity varchar, login varchar) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE session record;
BEGIN
  SELECT s.id, split_part(s.username, '.', 1) AS ramal,
         ceil(extract(epoch FROM s.expires_at - now()))::integer AS seconds
    INTO session
    FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
   WHERE s.username = identity AND a.domain = of_domain AND s.ended_at IS NULL AND s.expires_at > now();
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  IF login <> '' THEN
    INSERT INTO edge.session_logins AS l (domain, username, call_id_hash, session_id, first_used_at)
      VALUES (of_domain, session.ramal, login, session.id, clock_timestamp())
      ON CONFLICT (domain, username, call_id_hash)
        DO UPDATE SET session_id = EXCLUDED.session_id, first_used_at = EXCLUDED.first_used_at
        WHERE l.session_id <> EXCLUDED.session_id;
    IF FOUND THEN
      DELETE FROM edge.session_logins l WHERE l.session_id = session.id AND l.call_id_hash IN (
        SELECT o.call_id_hash FROM edge.session_logins o
         WHERE o.session_id = session.id ORDER BY o.first_used_at DESC OFFSET 20);
    END IF;
  END IF;
  RETURN session.seconds;
END
$$;

-- A registration ends with the session that opened it. A new row waits for whoever is just ending the session, who
-- would not see it yet; one that is there already is seen.
CREATE FUNCTION edge.hold_to_session() RETURNS trigger
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
CREATE TRIGGER hold_to_session BEFORE INSERT OR UPDATE ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.hold_to_session();

-- A session that ends logs its phone off: a phone that it had replaced may return, one that replaced it stays.
CREATE FUNCTION edge.end_session() RETURNS trigger
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
CREATE TRIGGER end_session AFTER UPDATE OF ended_at ON phone_sessions
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION edge.end_session();
CREATE TRIGGER end_removed_session BEFORE DELETE ON phone_sessions
  FOR EACH ROW EXECUTE FUNCTION edge.end_session();

-- Sessions end with what they were opened by: the extension's number, password and owner, its opener's role and
-- password.
CREATE FUNCTION edge.end_extension_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.extension_id = OLD.id AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER end_phone_sessions AFTER UPDATE OF ramal, ha1, user_id ON extensions
  FOR EACH ROW
  WHEN (OLD.ramal <> NEW.ramal OR OLD.ha1 <> NEW.ha1 OR OLD.user_id IS DISTINCT FROM NEW.user_id)
  EXECUTE FUNCTION edge.end_extension_sessions();

CREATE FUNCTION edge.end_user_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.user_id = OLD.id AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER end_phone_sessions AFTER UPDATE OF role, password_changed_at ON users
  FOR EACH ROW WHEN (OLD.role <> NEW.role OR OLD.password_changed_at <> NEW.password_changed_at)
  EXECUTE FUNCTION edge.end_user_sessions();

REVOKE ALL ON FUNCTION edge.use_session, edge.hold_to_session, edge.end_session, edge.end_extension_sessions,
  edge.end_user_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.use_session TO disca_edge;
