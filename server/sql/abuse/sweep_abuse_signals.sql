-- Deletes up to `most` signals that were raised, and if at all lifted, before `before`, and returns how many.
CREATE OR REPLACE FUNCTION sweep_abuse_signals(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM abuse_signals WHERE id IN (
    SELECT s.id FROM abuse_signals s WHERE s.at < before AND (s.lifted_at IS NULL OR s.lifted_at < before)
     LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_abuse_signals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_abuse_signals TO disca_service;
