-- Drops daily partitions of deliveries and their attempts older than `before` and returns how many.
-- requires: platform/drop_days
CREATE OR REPLACE FUNCTION drop_delivery_days(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN drop_days('deliveries', before) + drop_days('delivery_attempts', before);
END
$$;
REVOKE ALL ON FUNCTION drop_delivery_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_delivery_days TO disca_service;
