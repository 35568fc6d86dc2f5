-- Creates missing daily partitions of deliveries and their attempts from `first` to `last` and returns how many.
-- requires: platform/make_days
CREATE OR REPLACE FUNCTION make_delivery_days(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  -- Each attempt updates its delivery. Free space on the page allows HOT updates, which do not touch the indexes.
  RETURN make_days('deliveries', first, last, 50) + make_days('delivery_attempts', first, last, 100);
END
$$;
REVOKE ALL ON FUNCTION make_delivery_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_delivery_days TO disca_service;
