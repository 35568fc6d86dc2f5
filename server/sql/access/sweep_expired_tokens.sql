-- Deletes up to `most` expired tokens and returns how many. The limit keeps the locks short.
CREATE OR REPLACE FUNCTION sweep_expired_tokens(at timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM access_tokens WHERE hash IN (
    SELECT hash FROM access_tokens WHERE expires_at <= at AND expires_at < 'infinity' LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_expired_tokens FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_expired_tokens TO disca_service;
