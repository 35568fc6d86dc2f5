-- Drops the daily partitions of a table that are older than `before` and returns how many. Also deletes the rows of those
-- days from the default partition. Only for functions of the owner: the name of the table is not checked.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION drop_days(base text, before date) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  child text;
  key text;
  dropped integer := 0;
BEGIN
  SELECT a.attname INTO key FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
   WHERE p.partrelid = ('public.' || base)::regclass;
  EXECUTE format('DELETE FROM public.%I WHERE %I < %L', base || '_default', key,
    uuid_floor(before::timestamp AT TIME ZONE 'UTC'));
  FOR child IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ('public.' || base)::regclass AND c.relname ~ '_\d{4}_\d{2}_\d{2}$'
       AND to_date(right(c.relname, 10), 'YYYY_MM_DD') < before
  LOOP
    EXECUTE format('DROP TABLE public.%I', child);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION drop_days FROM PUBLIC;
