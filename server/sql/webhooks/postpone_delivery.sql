-- Extends the lease of a delivery that must not be sent yet, so that its endpoint gets no other delivery until then.
CREATE OR REPLACE FUNCTION postpone_delivery(delivery uuid, wait interval)
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  UPDATE delivery_queue q SET taken_until = now() + wait WHERE q.delivery_id = delivery AND q.taken_until IS NOT NULL;
$$;
REVOKE ALL ON FUNCTION postpone_delivery FROM PUBLIC;
GRANT EXECUTE ON FUNCTION postpone_delivery TO disca_service;
