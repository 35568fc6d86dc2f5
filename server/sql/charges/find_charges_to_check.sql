-- Returns charges that are due to be read again at their gateway. Charges without a payment, left by a process that
-- died, come first.
CREATE OR REPLACE FUNCTION find_charges_to_check(at timestamptz, most integer)
  RETURNS TABLE (account_id bigint, charge_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    (SELECT c.account_id, c.id FROM charges c
      WHERE c.payment_id IS NULL AND c.next_check_at <= at ORDER BY c.next_check_at LIMIT most)
    UNION ALL
    (SELECT c.account_id, c.id FROM charges c
      WHERE c.payment_id IS NOT NULL AND c.next_check_at <= at ORDER BY c.next_check_at LIMIT most)
    LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_charges_to_check FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_charges_to_check TO disca_service;
