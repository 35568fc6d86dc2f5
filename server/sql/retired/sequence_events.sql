-- The former name of number_events, which workers of the previous release call. The deliveries are enqueued already.
-- requires: webhooks/number_events
CREATE OR REPLACE FUNCTION sequence_events(most integer, at timestamptz) RETURNS TABLE (sequenced integer, planned jsonb)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT number_events(most, at), '[]'::jsonb;
$$;
REVOKE ALL ON FUNCTION sequence_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sequence_events TO disca_service;
