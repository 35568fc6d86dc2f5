-- Deletes expired addresses of phones, bans that ended an hour ago, and replaced logins except the newest 20 of the last
-- day of each extension; makes the edges' daily key. Each edge calls it every five minutes. Deletes up to `most` rows of
-- each kind, to keep the locks short. Returns how many.
-- requires: edge/add_registration_changes
CREATE OR REPLACE FUNCTION edge.sweep_logins(most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  phones integer;
  logins integer;
BEGIN
  DELETE FROM edge.known_phones k WHERE k.ctid = ANY (ARRAY(
    SELECT o.ctid FROM edge.known_phones o WHERE o.expires < extract(epoch FROM now())::bigint
     ORDER BY o.expires LIMIT most FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS phones = ROW_COUNT;
  DELETE FROM edge.bans b WHERE b.ctid = ANY (ARRAY(
    SELECT o.ctid FROM edge.bans o WHERE o.until < now() - interval '1 hour'
     ORDER BY o.until LIMIT most FOR UPDATE SKIP LOCKED));
  DELETE FROM edge.replaced_logins r WHERE r.ctid = ANY (ARRAY(
    SELECT o.ctid
      FROM (SELECT n.domain, n.username FROM edge.replaced_logins n GROUP BY n.domain, n.username
            HAVING count(*) > 20 OR min(n.replaced_at) < now() - interval '1 day') s
      CROSS JOIN LATERAL (
        SELECT l.ctid, l.replaced_at, row_number() OVER (ORDER BY l.replaced_at DESC) AS place
          FROM edge.replaced_logins l WHERE l.domain = s.domain AND l.username = s.username) o
     WHERE o.place > 20 OR o.replaced_at < now() - interval '1 day'
     LIMIT most));
  GET DIAGNOSTICS logins = ROW_COUNT;
  -- A new key every day, used a minute later.
  IF NOT EXISTS (SELECT FROM edge.identity_keys k WHERE k.used_from > now() - interval '1 day') THEN
    INSERT INTO edge.identity_keys (key, used_from)
    VALUES (gen_random_uuid()::text || gen_random_uuid(), now() + interval '1 minute');
  END IF;
  DELETE FROM edge.identity_keys k WHERE k.used_from < now() - interval '3 days'
     AND k.number < (SELECT max(o.number) FROM edge.identity_keys o WHERE o.used_from <= now());
  PERFORM edge.add_registration_changes();
  RETURN phones + logins;
END
$$;
REVOKE ALL ON FUNCTION edge.sweep_logins FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.sweep_logins TO disca_edge;
