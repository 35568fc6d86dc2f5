-- Returns the next 100 bans with a higher number, and their remaining seconds; 0 if a ban has ended or was lifted. Before
-- each banned address come up to 1,000 phones that are known there and stay admitted (kind `phone`).
CREATE OR REPLACE FUNCTION edge.bans_after(last bigint)
  RETURNS TABLE (kind varchar, key varchar, seconds integer, number bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  WITH next AS MATERIALIZED (
    SELECT b.kind, b.key, greatest(ceil(extract(epoch FROM b.until - now())), 0)::integer AS seconds, b.number
      FROM edge.bans b WHERE b.number > last ORDER BY b.number LIMIT 100
  )
  SELECT n.kind, n.key, n.seconds, n.number FROM next n
   UNION ALL
  SELECT 'phone', p.key_name, p.seconds, n.number FROM next n
   CROSS JOIN LATERAL (
     SELECT k.key_name, (k.expires - extract(epoch FROM now()))::integer AS seconds FROM edge.known_phones k
      WHERE split_part(k.key_name, '|', 1) = n.key AND k.expires > extract(epoch FROM now())
      ORDER BY k.expires DESC LIMIT 1000) p
   WHERE n.kind = 'address' AND n.seconds > 0
   ORDER BY 4, 1 DESC
$$;
REVOKE ALL ON FUNCTION edge.bans_after FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.bans_after TO disca_edge;
