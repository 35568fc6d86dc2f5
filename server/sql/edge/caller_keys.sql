-- Returns the keys with which edges sign who calls, and whether all edges that were seen within the last `seconds` sign.
CREATE OR REPLACE FUNCTION caller_keys(seconds integer) RETURNS TABLE (number integer, key text, all_sign boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT k.number, k.key, NOT EXISTS (
           SELECT FROM edge.edges e WHERE e.seen_at > now() - make_interval(secs => seconds) AND NOT e.signs)
    FROM edge.identity_keys k
$$;
REVOKE ALL ON FUNCTION caller_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION caller_keys TO disca_service;
