-- Creates missing daily partitions of the event log from `first` to `last` and returns how many. Days that the rows of
-- the former table cover are skipped.
-- requires: platform/make_days
CREATE OR REPLACE FUNCTION make_event_days(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  -- The id at which the former table ends; its first 12 digits are the time in milliseconds.
  bound text := (SELECT replace(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([0-9a-f-]+)''\)'), '-', '')
                   FROM pg_class c WHERE c.oid = to_regclass('public.events_unpartitioned'));
  covered date := (to_timestamp(('x' || lpad(left(bound, 12), 16, '0'))::bit(64)::bigint / 1000) AT TIME ZONE 'UTC')::date;
BEGIN
  RETURN make_days('events', greatest(first, covered), last, 100);
END
$$;
REVOKE ALL ON FUNCTION make_event_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_event_days TO disca_service;
