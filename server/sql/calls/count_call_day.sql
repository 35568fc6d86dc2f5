-- Counts the calls of the next full day before `before` and returns the day. Returns null if there is nothing to count
-- or a call of that day has not ended.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION count_call_day(before date) RETURNS date
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
REVOKE ALL ON FUNCTION count_call_day FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_call_day TO disca_service;
