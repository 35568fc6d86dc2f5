-- Creates missing daily partitions of a table from `first` to `last` and returns how many. Each is created like the
-- table's default partition. Rows of a new partition's day that are in the default partition move to the new one. Only
-- for functions of the owner: the name of the table is not checked.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION make_days(base text, first date, last date, fill integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  day date;
  made integer := 0;
  child text;
  spare text := base || '_default';
  key text;
  lowest uuid;
  next uuid;
BEGIN
  SELECT a.attname INTO key FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
   WHERE p.partrelid = ('public.' || base)::regclass;
  FOR day IN SELECT generate_series(first, last, '1 day')::date LOOP
    child := format('%s_%s', base, to_char(day, 'YYYY_MM_DD'));
    CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
    lowest := uuid_floor(day::timestamp AT TIME ZONE 'UTC');
    next := uuid_floor((day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING CONSTRAINTS INCLUDING INDEXES) WITH (fillfactor = %s)',
      child, spare, fill);
    -- A row that is written to the default partition meanwhile would make the new partition impossible.
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', spare);
    EXECUTE format('WITH moved AS (DELETE FROM public.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
      INSERT INTO public.%5$I SELECT * FROM moved', spare, key, lowest, next, child);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
      base, child, lowest, next);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;
REVOKE ALL ON FUNCTION make_days FROM PUBLIC;
