-- Drops daily partitions of requests older than `before`, with their counters, and returns how many partitions.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION drop_request_days(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  child text;
  dropped integer := 0;
BEGIN
  DELETE FROM request_counts c WHERE c.day < before;
  DELETE FROM requests_default r WHERE r.id < uuid_floor(before::timestamp AT TIME ZONE 'UTC');
  FOR child IN
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relname ~ '^requests_\d{4}_\d{2}_\d{2}$'
       AND to_date(right(c.relname, 10), 'YYYY_MM_DD') < before
  LOOP
    EXECUTE format('DROP TABLE public.%I', child);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION drop_request_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_request_days TO disca_service;
