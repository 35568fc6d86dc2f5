-- Drops daily partitions of requests older than `before`, with their counters, and returns how many partitions.
-- requires: platform/drop_days
CREATE OR REPLACE FUNCTION drop_request_days(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM request_counts c WHERE c.day < before;
  RETURN drop_days('requests', before);
END
$$;
REVOKE ALL ON FUNCTION drop_request_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_request_days TO disca_service;
