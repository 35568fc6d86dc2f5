-- For edges of release 0.1: returns the seconds granted to a registration of a phone session once it is stored, or
-- null. If the session was deleted after its password was verified, the link is missing, and the registration is
-- removed here.
-- requires: edge/log_off
CREATE OR REPLACE FUNCTION edge.granted_seconds(of_domain varchar, of_username varchar, login varchar) RETURNS integer
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
