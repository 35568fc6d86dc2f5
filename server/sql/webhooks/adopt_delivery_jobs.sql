-- Moves waiting deliveries from the queues of pg-boss, where the previous release enqueues them, to the delivery queue,
-- and returns how many jobs were moved. Jobs that a worker of the previous release holds stay with it; if it dies,
-- pg-boss makes them available again and they are moved then. Obsolete jobs are only removed.
CREATE OR REPLACE FUNCTION adopt_delivery_jobs(most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  moved integer;
BEGIN
  WITH waiting AS (
    SELECT j.name, j.id FROM pgboss.job j
     WHERE j.name IN ('webhooks.first', 'webhooks.retry') AND j.state < 'active'
     LIMIT most FOR UPDATE SKIP LOCKED
  ), jobs AS (
    DELETE FROM pgboss.job j USING waiting w WHERE j.name = w.name AND j.id = w.id
    RETURNING j.name, j.start_after, (j.data->>'deliveryId')::uuid AS delivery_id, (j.data->>'attempt')::integer AS attempt
  ), kept AS (
    INSERT INTO delivery_queue (delivery_id, integration_id, is_retry, due_at)
    SELECT DISTINCT ON (d.id) d.id, d.integration_id, j.name = 'webhooks.retry', j.start_after
      FROM jobs j JOIN deliveries d ON d.id = j.delivery_id AND d.state = 'pending' AND d.attempts + 1 = j.attempt
     ORDER BY d.id, j.start_after
    ON CONFLICT DO NOTHING
  )
  SELECT count(*) INTO moved FROM jobs;
  RETURN moved;
END
$$;
REVOKE ALL ON FUNCTION adopt_delivery_jobs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION adopt_delivery_jobs TO disca_service;
