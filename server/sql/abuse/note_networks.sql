-- Records the networks from which phones logged in since `since`. Returns those that are new for an account that has
-- used others since before `known_before`.
CREATE OR REPLACE FUNCTION note_networks(since timestamptz, known_before timestamptz, at timestamptz)
  RETURNS TABLE (account_id bigint, network text, extensions text)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  WITH logins AS (
    SELECT a.id AS account_id, network(set_masklen(i.address, CASE family(i.address) WHEN 4 THEN 24 ELSE 48 END)) AS network,
           string_agg(DISTINCT split_part(split_part(k.key_name, '|', 2), '@', 1), ', ') AS extensions
      FROM edge.known_phones k
     CROSS JOIN LATERAL (SELECT split_part(k.key_name, '|', 1)::inet AS address) i
      JOIN accounts a ON a.domain = split_part(split_part(k.key_name, '|', 2), '@', 2)
     -- A login is known for a day.
     WHERE k.expires >= extract(epoch FROM since + interval '1 day')
     GROUP BY 1, 2
  ), written AS (
    INSERT INTO phone_networks AS p (account_id, network, first_at, last_at)
    SELECT l.account_id, l.network, at, at FROM logins l
        ON CONFLICT ON CONSTRAINT phone_networks_pkey DO UPDATE SET last_at = excluded.last_at
     WHERE p.last_at < excluded.last_at - interval '1 day'
    RETURNING p.account_id, p.network, p.first_at
  )
  SELECT w.account_id, text(w.network), l.extensions
    FROM written w JOIN logins l USING (account_id, network)
   WHERE w.first_at = at AND EXISTS (
     SELECT FROM phone_networks o WHERE o.account_id = w.account_id AND o.first_at < known_before)
$$;
REVOKE ALL ON FUNCTION note_networks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_networks TO disca_service;
