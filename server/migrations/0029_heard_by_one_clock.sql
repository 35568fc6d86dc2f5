-- When the node was last heard of, by the clock that the edges' question is asked by. What voice writes by its own clock
-- is for durations of calls; a voice process whose clock is behind must not make every node look silent.
ALTER TABLE media_nodes ADD COLUMN heard_at timestamptz(3);
GRANT UPDATE (heard_at) ON media_nodes TO disca_service;

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
