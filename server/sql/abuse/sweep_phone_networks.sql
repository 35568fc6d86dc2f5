-- Deletes up to `most` networks from which no phone of their account has logged in since `before`, and returns how many.
CREATE OR REPLACE FUNCTION sweep_phone_networks(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM phone_networks p USING (
    SELECT n.account_id, n.network FROM phone_networks n WHERE n.last_at < before
     LIMIT most FOR UPDATE SKIP LOCKED) old
   WHERE p.account_id = old.account_id AND p.network = old.network;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION sweep_phone_networks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sweep_phone_networks TO disca_service;
