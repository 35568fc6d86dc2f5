-- Creates missing daily partitions of deliveries from `first` to `last` and returns how many. Only the owner may
-- create tables.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION make_delivery_days(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  day date;
  made integer := 0;
  base text;
  child text;
BEGIN
  FOR day IN SELECT generate_series(first, last, '1 day')::date LOOP
    FOREACH base IN ARRAY ARRAY['deliveries', 'delivery_attempts'] LOOP
      child := format('%s_%s', base, to_char(day, 'YYYY_MM_DD'));
      CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
      -- Each attempt updates its delivery. Free space on the page allows HOT updates, which do not touch the indexes.
      EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = %s)', child, base,
        public.uuid_floor(day::timestamp AT TIME ZONE 'UTC'), public.uuid_floor((day + 1)::timestamp AT TIME ZONE 'UTC'),
        CASE base WHEN 'deliveries' THEN 50 ELSE 100 END);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;
REVOKE ALL ON FUNCTION make_delivery_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_delivery_days TO disca_service;
