-- Records since when nodes have been silent. A node counts as lost only if it is still silent some time later,
-- because right after a database outage every node looks silent.
CREATE OR REPLACE FUNCTION mark_silent_nodes(seen_before timestamptz, at timestamptz) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE media_nodes n SET silent_since = at WHERE n.last_seen_at <= seen_before AND n.silent_since IS NULL;
END
$$;
REVOKE ALL ON FUNCTION mark_silent_nodes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mark_silent_nodes TO disca_service;
