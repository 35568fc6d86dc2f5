-- Drops daily partitions of deliveries older than `before` and returns how many.
CREATE OR REPLACE FUNCTION drop_delivery_days(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  child text;
  dropped integer := 0;
BEGIN
  FOR child IN
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relname ~ '^(deliveries|delivery_attempts)_\d{4}_\d{2}_\d{2}$'
       AND to_date(right(c.relname, 10), 'YYYY_MM_DD') < before
  LOOP
    EXECUTE format('DROP TABLE public.%I', child);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION drop_delivery_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_delivery_days TO disca_service;
