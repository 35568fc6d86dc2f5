-- Prepares the existing events to become one partition of the event log (migration 0039). Attaching a table as a
-- partition reads all of it under a lock unless a valid constraint implies the bounds of the partition. This constraint
-- is added without reading the table; the next migration validates it in its own transaction, while the previous
-- release reads and writes. The bound lies a week ahead, so that an upgrade that stops between the two migrations
-- can be resumed.
DO $$
DECLARE
  bound_day date := (now() AT TIME ZONE 'UTC')::date + 7;
  newest uuid;
BEGIN
  SELECT e.id INTO newest FROM events e ORDER BY e.id DESC LIMIT 1;
  IF newest IS NOT NULL THEN
    -- The first 12 digits of an id are its time in milliseconds.
    bound_day := greatest(bound_day, (to_timestamp(
      ('x' || lpad(left(replace(newest::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000) AT TIME ZONE 'UTC')::date + 1);
  END IF;
  EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_unpartitioned_ids CHECK (id < %L) NOT VALID',
    (lpad(to_hex((extract(epoch FROM bound_day::timestamp AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid);
END
$$;
