-- Deletes up to `most` expired idempotency keys of any account and returns how many.
CREATE OR REPLACE FUNCTION sweep_idempotency_keys(created_before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM idempotency_keys k USING (
    SELECT account_id, route, key FROM idempotency_keys WHERE created_at < created_before
     LIMIT most FOR UPDATE SKIP LOCKED) old
   WHERE k.account_id = old.account_id AND k.route = old.route AND k.key = old.key;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_idempotency_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_idempotency_keys TO disca_service;
