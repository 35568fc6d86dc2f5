-- For edges of release 0.1: records that a newer login has replaced this one, so that its refreshes are rejected. Keeps
-- the newest 20 of the last day.
CREATE OR REPLACE FUNCTION edge.replace_login(of_domain varchar, of_username varchar, call_id text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  INSERT INTO edge.replaced_logins (domain, username, call_id_hash, replaced_at)
    VALUES (of_domain, of_username, md5(call_id), clock_timestamp())
    ON CONFLICT (domain, username, call_id_hash) DO UPDATE SET replaced_at = EXCLUDED.replaced_at;
  DELETE FROM edge.replaced_logins r
   WHERE r.domain = of_domain AND r.username = of_username AND (
     r.replaced_at < now() - interval '1 day' OR r.call_id_hash IN (
       SELECT o.call_id_hash FROM edge.replaced_logins o
        WHERE o.domain = of_domain AND o.username = of_username
        ORDER BY o.replaced_at DESC OFFSET 20));
END
$$;
REVOKE ALL ON FUNCTION edge.replace_login FROM PUBLIC;
