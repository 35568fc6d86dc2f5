-- Returns the domains of accounts whose phones may send audio from another address than their signalling.
CREATE OR REPLACE FUNCTION edge.any_media_domains() RETURNS TABLE (domain varchar)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT a.domain::varchar FROM public.accounts a WHERE a.media_from_any_address ORDER BY a.domain LIMIT 100000
$$;
REVOKE ALL ON FUNCTION edge.any_media_domains FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.any_media_domains TO disca_edge;
