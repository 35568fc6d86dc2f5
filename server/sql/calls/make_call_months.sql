-- Creates missing monthly partitions of calls from `first` to `last` and returns how many. Only the owner may create
-- tables.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION make_call_months(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  month timestamptz;
  made integer := 0;
  base text;
  child text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', first), date_trunc('month', last), '1 month') AT TIME ZONE 'UTC'
  LOOP
    FOREACH base IN ARRAY ARRAY['calls', 'call_pairs', 'call_words', 'call_notes'] LOOP
      child := format('%s_%s', base, to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'));
      CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
      EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)', child, base,
        public.uuid_floor(month), public.uuid_floor((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'));
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;
REVOKE ALL ON FUNCTION make_call_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_call_months TO disca_service;
