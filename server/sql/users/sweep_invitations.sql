-- Deletes up to `most` invitations that expired before, and returns how many. The limit keeps the locks short.
CREATE OR REPLACE FUNCTION sweep_invitations(expired_before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM invitations WHERE id IN (
    SELECT i.id FROM invitations i WHERE i.expires_at < expired_before LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_invitations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_invitations TO disca_service;
