-- Links a login (the MD5 of its Call-ID) to the phone session that opened it, and returns the seconds that the session
-- has left, or 0. The lock makes the login wait for a transaction that is ending the session, which would not see the
-- new registration. Keeps the newest 20 links and those of current registrations.
CREATE OR REPLACE FUNCTION edge.hold_session(of_domain varchar, of_username varchar, identity varchar, login varchar) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE session record;
BEGIN
  SELECT s.id, floor(extract(epoch FROM s.expires_at - now()))::integer AS seconds INTO session
    FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
   WHERE s.username = identity AND a.domain = of_domain AND s.ended_at IS NULL AND s.expires_at > now()
     FOR SHARE OF s;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  INSERT INTO edge.session_logins (domain, username, call_id_hash, session_id, last_used_at)
    VALUES (of_domain, of_username, login, session.id, clock_timestamp())
    ON CONFLICT (domain, username, call_id_hash)
      DO UPDATE SET session_id = EXCLUDED.session_id, last_used_at = EXCLUDED.last_used_at;
  DELETE FROM edge.session_logins l WHERE l.session_id = session.id AND l.call_id_hash IN (
    SELECT o.call_id_hash FROM edge.session_logins o
     WHERE o.session_id = session.id ORDER BY o.last_used_at DESC OFFSET 20)
    AND NOT EXISTS (SELECT FROM edge.location r
                     WHERE r.domain = l.domain AND r.username = l.username AND md5(r.callid) = l.call_id_hash);
  RETURN session.seconds;
END
$$;
REVOKE ALL ON FUNCTION edge.hold_session FROM PUBLIC;
