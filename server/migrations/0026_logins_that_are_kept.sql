-- A session's registration must end with it, however many other logins it tried meanwhile. The link of a login that is
-- registered is therefore never forgotten, and of the others the twenty that were used last are kept.
ALTER TABLE edge.session_logins RENAME COLUMN first_used_at TO last_used_at;

CREATE OR REPLACE FUNCTION edge.use_session(of_domain varchar, identity varchar, login varchar) RETURNS integer
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
    INSERT INTO edge.session_logins AS l (domain, username, call_id_hash, session_id, last_used_at)
      VALUES (of_domain, session.ramal, login, session.id, clock_timestamp())
      ON CONFLICT (domain, username, call_id_hash)
        DO UPDATE SET session_id = EXCLUDED.session_id, last_used_at = EXCLUDED.last_used_at;
    DELETE FROM edge.session_logins l WHERE l.session_id = session.id AND l.call_id_hash IN (
      SELECT o.call_id_hash FROM edge.session_logins o
       WHERE o.session_id = session.id ORDER BY o.last_used_at DESC OFFSET 20)
      AND NOT EXISTS (SELECT FROM edge.location r
                       WHERE r.domain = l.domain AND r.username = l.username AND md5(r.callid) = l.call_id_hash);
  END IF;
  RETURN session.seconds;
END
$$;

-- Asked by the edge once a session's login is kept: the seconds it has, or nothing. A session that was removed after its
-- password was checked took the link along, and what was kept without one is given up here.
CREATE FUNCTION edge.granted_seconds(of_domain varchar, of_username varchar, login varchar) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM edge.session_logins l
                  WHERE l.domain = of_domain AND l.username = of_username AND l.call_id_hash = login) THEN
    DELETE FROM edge.location r
     WHERE r.domain = of_domain AND r.username = of_username AND md5(r.callid) = login;
    PERFORM edge.log_off(of_domain, of_username, login);
    RETURN NULL;
  END IF;
  RETURN (SELECT (r.expires - extract(epoch FROM now()))::integer FROM edge.location r
           WHERE r.domain = of_domain AND r.username = of_username AND md5(r.callid) = login LIMIT 1);
END
$$;
REVOKE ALL ON FUNCTION edge.granted_seconds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.granted_seconds TO disca_edge;
