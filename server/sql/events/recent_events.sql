-- Returns events of the last hour with the next numbers after a number. The hour is part of the statement, so that only
-- its partitions are planned and locked, as in find_events. Older events with such numbers are missing from the result.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION recent_events(of_account bigint, after bigint, most integer) RETURNS SETOF events
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT * FROM events e WHERE e.account_id = $1 AND e.account_sequence > $2 AND e.id >= %L AND e.id < %L
      ORDER BY e.account_sequence LIMIT $3',
    uuid_floor(now() - interval '1 hour'), uuid_floor(now() + interval '1 minute')) USING of_account, after, most;
END
$$;
REVOKE ALL ON FUNCTION recent_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recent_events TO disca_service;
