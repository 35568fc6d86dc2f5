-- Returns how HA1s are stored: whether also unsealed, because an edge without keys was seen within a day or the operator
-- goes back to the previous release, and the ids of the keys that all running edges have (null if none runs).
CREATE OR REPLACE FUNCTION digest_use() RETURNS TABLE (needs_plain boolean, shared_keys text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  WITH running AS (
    SELECT e.id, e.digest_keys FROM edge.edges e
     WHERE e.seen_at > now() - interval '5 minutes' AND e.digest_keys IS NOT NULL
  ), held AS (
    SELECT k.key FROM running r CROSS JOIN LATERAL unnest(string_to_array(r.digest_keys, ',')) AS k (key)
     GROUP BY k.key HAVING count(DISTINCT r.id) = (SELECT count(*) FROM running)
  )
  SELECT EXISTS (SELECT FROM edge.edges e
                  WHERE e.seen_at > now() - interval '1 day' AND e.digest_keys IS NULL)
           OR EXISTS (SELECT FROM edge.plain_digests p WHERE p.until > now()),
         CASE WHEN EXISTS (SELECT FROM running) THEN (SELECT coalesce(array_agg(h.key), '{}') FROM held h) END
$$;
REVOKE ALL ON FUNCTION digest_use FROM PUBLIC;
GRANT EXECUTE ON FUNCTION digest_use TO disca_service;
