-- A voice process that stops lets go of its nodes, which dial again and are commanded by another one within a second. An
-- edge that looks in between must not find that there is no node at all: it would refuse calls until it looks again. So a
-- node that was seen in the last 2 s is still among those where calls of phones go, connected or not.
CREATE OR REPLACE FUNCTION edge.trusted_peers() RETURNS TABLE (setid integer, sip_address varchar)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT 1, n.sip_address::varchar FROM public.media_nodes n
    UNION ALL
    SELECT 2, n.sip_address::varchar FROM public.media_nodes n
     WHERE n.state = 'active' AND n.last_seen_at > now() - interval '4 seconds'
       AND (n.connected OR n.last_seen_at BETWEEN now() - interval '2 seconds' AND now())
    UNION ALL
    SELECT 1000 + e.id, e.sip_address FROM edge.edges e WHERE e.seen_at > now() - interval '5 minutes';
END
$$;
