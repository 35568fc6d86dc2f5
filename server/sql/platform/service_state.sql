-- Returns the gauges of the whole service as (figure, label, value) rows. Runs as the owner to count across accounts,
-- and returns only numbers. It runs every few seconds, so each number comes from an index or a small table.
-- requires: edge/add_registration_changes
CREATE OR REPLACE FUNCTION service_state(OUT figure text, OUT label text, OUT value double precision) RETURNS SETOF record
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  PERFORM edge.add_registration_changes();
  RETURN QUERY
    SELECT 'event_oldest_age', '', coalesce((
             SELECT extract(epoch FROM now() - e.occurred_at)::float8
               FROM event_outbox e ORDER BY e.id LIMIT 1), 0)
    UNION ALL
    SELECT 'call_oldest_wait', '', coalesce(extract(epoch FROM now() - min(c.requested_at))::float8, 0)
      FROM live_calls c WHERE c.node IS NULL
    UNION ALL
    SELECT 'live_calls', s.state, count(c.call_id)::float8
      FROM unnest(ARRAY['queued', 'ringing', 'dialing', 'answered']) AS s (state)
      LEFT JOIN live_calls c ON c.state = s.state GROUP BY s.state
    UNION ALL
    SELECT 'recordings_awaited', '', count(*)::float8 FROM recordings r WHERE r.state = 'expected'
    UNION ALL
    SELECT 'recording_oldest_age', '', coalesce(extract(epoch FROM now() - min(r.expected_at))::float8, 0)
      FROM recordings r WHERE r.state = 'expected'
    UNION ALL
    -- Expired registrations are removed soon, so few are left to be subtracted.
    SELECT 'registrations', '', (
             coalesce((SELECT t.registrations FROM edge.registration_total t), 0)
             + coalesce((SELECT sum(c.change) FROM edge.registration_changes c), 0)
             - (SELECT count(*) FROM edge.location l WHERE l.expires <= extract(epoch FROM now())::bigint))::float8
    UNION ALL
    SELECT 'edges', '', count(*)::float8 FROM edge.edges e WHERE e.seen_at > now() - interval '6 seconds'
    UNION ALL
    SELECT 'nodes', s.state, count(n.name)::float8
      FROM unnest(ARRAY['ready', 'draining', 'silent']) AS s (state)
      LEFT JOIN media_nodes n ON s.state = CASE
        WHEN n.heard_at IS NULL OR n.heard_at < now() - interval '4 seconds' THEN 'silent'
        WHEN n.state = 'active' THEN 'ready' ELSE 'draining' END
     GROUP BY s.state
    UNION ALL
    SELECT 'integrations_failing', '', count(*)::float8
      FROM integrations i WHERE i.failing_since IS NOT NULL AND i.disabled_at IS NULL
    UNION ALL
    (SELECT f.figure, '', f.value
       FROM ledger_audits a
      CROSS JOIN LATERAL (VALUES ('ledger_differences', a.differences::float8),
                                 ('ledger_audited_at', extract(epoch FROM a.at)::float8)) AS f (figure, value)
      ORDER BY a.at DESC LIMIT 2);
END
$$;
REVOKE ALL ON FUNCTION service_state FROM PUBLIC;
GRANT EXECUTE ON FUNCTION service_state TO disca_service;
