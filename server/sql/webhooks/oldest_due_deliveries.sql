-- Returns since when the oldest delivery of each lane is due. Deliveries that wait for a slot of their own endpoint do
-- not count: more workers would not send them earlier.
CREATE OR REPLACE FUNCTION oldest_due_deliveries() RETURNS TABLE (is_retry boolean, since timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT lane.is_retry, (SELECT min(q.due_at) FROM delivery_queue q
                          WHERE q.is_retry = lane.is_retry AND q.taken_until IS NULL AND NOT q.is_held)
    FROM (VALUES (false), (true)) AS lane (is_retry)
$$;
REVOKE ALL ON FUNCTION oldest_due_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oldest_due_deliveries TO disca_service;
