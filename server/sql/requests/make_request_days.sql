-- Creates missing daily partitions of requests from `first` to `last` and returns how many. Rows of such a day that
-- are in the default partition move to the new one. Only the owner may create tables.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION make_request_days(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  day date;
  made integer := 0;
  child text;
  lowest uuid;
  next uuid;
BEGIN
  FOR day IN SELECT generate_series(first, last, '1 day')::date LOOP
    child := format('requests_%s', to_char(day, 'YYYY_MM_DD'));
    CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
    lowest := uuid_floor(day::timestamp AT TIME ZONE 'UTC');
    next := uuid_floor((day + 1)::timestamp AT TIME ZONE 'UTC');
    -- A row that is written to the default partition meanwhile would make the new partition impossible.
    LOCK TABLE requests_default IN SHARE ROW EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.requests INCLUDING CONSTRAINTS)', child);
    EXECUTE format('WITH moved AS (DELETE FROM public.requests_default WHERE id >= %L AND id < %L RETURNING *)
      INSERT INTO public.%I SELECT * FROM moved', lowest, next, child);
    EXECUTE format('ALTER TABLE public.requests ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      child, lowest, next);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;
REVOKE ALL ON FUNCTION make_request_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_request_days TO disca_service;
