-- Returns the charge of a gateway's payment id.
CREATE OR REPLACE FUNCTION find_payment(from_gateway text, wanted_payment_id text) RETURNS TABLE (account_id bigint, charge_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.account_id, c.id FROM charges c
    WHERE c.gateway = from_gateway AND c.payment_id = wanted_payment_id;
END
$$;
REVOKE ALL ON FUNCTION find_payment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_payment TO disca_service;
