-- For edges of release 0.1: stores for one day the address from which an extension has registered, and deletes up to 10
-- expired addresses. Sequential scans are disabled, because during a login storm the plan may have been made while the
-- table was empty.
CREATE OR REPLACE FUNCTION edge.know_phone(of_domain varchar, of_username varchar, received varchar) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off
AS $$
DECLARE
  address text := substring(received FROM '^sips?:(\[[^]]+\]|[^:;]+)');
  day_from_now bigint := extract(epoch FROM now())::bigint + 86400;
BEGIN
  IF address IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO edge.known_phones (key_name, expires)
    VALUES (format('%s|%s@%s', trim(address, '[]'), of_username, of_domain), day_from_now)
    ON CONFLICT (key_name) DO UPDATE SET expires = EXCLUDED.expires;
  DELETE FROM edge.known_phones WHERE ctid = ANY (ARRAY(
    SELECT k.ctid FROM edge.known_phones k WHERE k.expires < day_from_now - 86400
     ORDER BY k.expires LIMIT 10 FOR UPDATE SKIP LOCKED));
END
$$;
REVOKE ALL ON FUNCTION edge.know_phone FROM PUBLIC;
