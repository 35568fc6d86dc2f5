-- Drops daily partitions of the event log older than `before` and returns how many. The former table, which became the
-- first partition, is dropped as a whole once its newest event is older.
-- requires: platform/drop_days, platform/uuid_floor
CREATE OR REPLACE FUNCTION drop_event_days(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  former integer := 0;
BEGIN
  IF to_regclass('public.events_unpartitioned') IS NOT NULL THEN
    IF NOT EXISTS (SELECT FROM events_unpartitioned e WHERE e.id >= uuid_floor(before::timestamp AT TIME ZONE 'UTC')) THEN
      DROP TABLE events_unpartitioned;
      former := 1;
    END IF;
  END IF;
  RETURN former + drop_days('events', before);
END
$$;
REVOKE ALL ON FUNCTION drop_event_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_event_days TO disca_service;
