-- Replaces the sealed passwords of a trunk by the same ones sealed with another key, unless they have changed. The
-- service may not change trunks otherwise.
CREATE OR REPLACE FUNCTION reseal_trunk(trunk bigint, present text[], resealed text[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE trunks t SET outbound_password_sealed = resealed[1], inbound_password_sealed = resealed[2]
   WHERE t.id = trunk AND t.outbound_password_sealed IS NOT DISTINCT FROM present[1]
     AND t.inbound_password_sealed IS NOT DISTINCT FROM present[2];
  RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION reseal_trunk FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reseal_trunk TO disca_service;
