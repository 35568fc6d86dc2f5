-- Returns the addresses that an edge trusts on its private side. Set 1: all media nodes. Set 2: nodes that may
-- receive calls from phones: active nodes that were seen in the last 4 s and are connected, or were seen in the last
-- 2 s (a node stays in the set while it changes its controller). Set 1000 + N: edge N.
CREATE OR REPLACE FUNCTION edge.trusted_peers() RETURNS TABLE (setid integer, sip_address varchar)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT 1, n.sip_address::varchar FROM public.media_nodes n
    UNION ALL
    SELECT 2, n.sip_address::varchar
      FROM public.media_nodes n, coalesce(n.heard_at, n.last_seen_at) AS heard(at)
     WHERE n.state = 'active' AND heard.at > now() - interval '4 seconds'
       AND (n.connected OR heard.at BETWEEN now() - interval '2 seconds' AND now())
    UNION ALL
    SELECT 1000 + e.id, e.sip_address FROM edge.edges e WHERE e.seen_at > now() - interval '5 minutes';
END
$$;
REVOKE ALL ON FUNCTION edge.trusted_peers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.trusted_peers TO disca_edge;
