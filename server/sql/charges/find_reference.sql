-- Returns the charge with our own reference, for a payment whose id is still unknown.
CREATE OR REPLACE FUNCTION find_reference(from_gateway text, wanted_reference uuid) RETURNS TABLE (account_id bigint, charge_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.account_id, c.id FROM charges c
    WHERE c.gateway = from_gateway AND c.reference = wanted_reference;
END
$$;
REVOKE ALL ON FUNCTION find_reference FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_reference TO disca_service;
