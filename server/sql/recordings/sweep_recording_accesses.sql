-- Deletes up to `most` entries of the access log older than `before` and returns how many.
CREATE OR REPLACE FUNCTION sweep_recording_accesses(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM recording_accesses WHERE id IN (
    SELECT a.id FROM recording_accesses a WHERE a.at < before LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_recording_accesses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_recording_accesses TO disca_service;
