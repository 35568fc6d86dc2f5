-- Deletes up to `most` events older than `before`, oldest first, and returns how many. Ids start with the time.
-- Events without a number have not been published yet and stay.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION sweep_events(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  removed integer;
BEGIN
  DELETE FROM events WHERE id IN (
    SELECT e.id FROM events e
     WHERE e.id < uuid_floor(before) AND e.account_sequence IS NOT NULL ORDER BY e.id LIMIT most);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_events TO disca_service;
