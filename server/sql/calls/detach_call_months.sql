-- Moves monthly partitions of calls older than `before` to the schema `archive`, deletes their totals and words, and
-- returns how many partitions were moved.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION detach_call_months(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s'
AS $$
DECLARE
  month record;
  moved integer := 0;
BEGIN
  FOR month IN
    SELECT parent.relname AS parent, child.relname AS child
      FROM pg_inherits i
      JOIN pg_class parent ON parent.oid = i.inhparent
      JOIN pg_class child ON child.oid = i.inhrelid
     WHERE i.inhparent IN ('public.calls'::regclass, 'public.call_pairs'::regclass, 'public.call_words'::regclass,
                           'public.call_notes'::regclass)
       AND child.relname ~ '_[0-9]{4}_[0-9]{2}$'
       AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before
  LOOP
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION public.%I', month.parent, month.child);
    IF month.parent = 'call_words' THEN
      EXECUTE format('DROP TABLE public.%I', month.child);
      CONTINUE;
    END IF;
    EXECUTE format('ALTER TABLE public.%I SET SCHEMA archive', month.child);
    moved := moved + 1;
  END LOOP;
  -- Deletes the (deprecated) dialer ids of calls that are no longer listed.
  DELETE FROM dialer_calls d WHERE d.created_at < before;
  IF moved > 0 THEN
    DELETE FROM call_counts c WHERE c.day < date_trunc('month', before);
    DELETE FROM call_sums s WHERE s.starts_at < before::timestamp AT TIME ZONE 'UTC';
    DELETE FROM leg_calls k WHERE k.id < uuid_floor(before::timestamp AT TIME ZONE 'UTC');
    DELETE FROM unsummed_calls u WHERE u.call_id < uuid_floor(before::timestamp AT TIME ZONE 'UTC');
  END IF;
  RETURN moved;
END
$$;
REVOKE ALL ON FUNCTION detach_call_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION detach_call_months TO disca_service;
