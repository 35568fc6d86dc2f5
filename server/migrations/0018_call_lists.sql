-- What reading and keeping many calls needs: totals that need no counting of every row, and months that leave the
-- table when they are old.

-- Calls a day (UTC) of each account, of days in which nothing changes any more.
CREATE TABLE call_counts (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  day date NOT NULL,
  calls bigint NOT NULL CHECK (calls > 0),
  PRIMARY KEY (account_id, day)
);
ALTER TABLE call_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON call_counts TO disca_service USING (account_id = current_account());
GRANT SELECT ON call_counts TO disca_service;

-- The first day that has not been counted, of all accounts together; empty before the first count.
CREATE TABLE call_days_counted (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  until date
);
INSERT INTO call_days_counted DEFAULT VALUES;
GRANT SELECT ON call_days_counted TO disca_service;

-- Counts the next day, if it lies before `before` and all of its calls have ended; returns it, or null if there is none.
-- Counting in the transactions of calls instead would make all calls of an account wait for each other.
CREATE FUNCTION count_call_day(before date) RETURNS date
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  next_day date;
  first_id uuid;
  end_id uuid;
BEGIN
  SELECT until INTO next_day FROM call_days_counted FOR UPDATE;
  IF next_day IS NULL THEN
    SELECT (c.started_at AT TIME ZONE 'UTC')::date INTO next_day FROM calls c ORDER BY c.id LIMIT 1;
  END IF;
  IF next_day IS NULL OR next_day >= before THEN RETURN NULL; END IF;
  first_id := uuid_floor(next_day::timestamp AT TIME ZONE 'UTC');
  end_id := uuid_floor((next_day + 1)::timestamp AT TIME ZONE 'UTC');
  IF EXISTS (SELECT FROM calls c WHERE c.id >= first_id AND c.id < end_id AND c.status <> 'ended') THEN
    RETURN NULL;
  END IF;
  INSERT INTO call_counts
    SELECT c.account_id, next_day, count(*) FROM calls c WHERE c.id >= first_id AND c.id < end_id GROUP BY c.account_id;
  UPDATE call_days_counted SET until = next_day + 1;
  RETURN next_day;
END
$$;

-- Months that nobody may ask for any more wait here until the operator has kept or dropped them.
CREATE SCHEMA archive;

-- Takes the months that ended by `before` out of the list and into the archive; returns how many tables it moved.
-- Detaching waits for everybody who reads calls, and everybody who comes meanwhile waits behind it: not for long.
CREATE FUNCTION detach_call_months(before date) RETURNS integer
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
     WHERE i.inhparent IN ('public.calls'::regclass, 'public.call_pairs'::regclass)
       AND child.relname ~ '_[0-9]{4}_[0-9]{2}$'
       AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before
  LOOP
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION public.%I', month.parent, month.child);
    EXECUTE format('ALTER TABLE public.%I SET SCHEMA archive', month.child);
    moved := moved + 1;
  END LOOP;
  -- The dialer's ids lead to calls that nobody can ask for any more.
  DELETE FROM dialer_calls d WHERE d.created_at < before;
  IF moved > 0 THEN
    DELETE FROM call_counts c WHERE c.day < date_trunc('month', before);
  END IF;
  RETURN moved;
END
$$;

REVOKE ALL ON FUNCTION count_call_day, detach_call_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_call_day, detach_call_months TO disca_service;
